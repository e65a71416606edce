"""Words and marks that no text of the product has, as regular expressions, and what it has instead.

``test_translations`` looks for them in each catalogue, and in the names and notes of published
rules. A term belongs here when another one replaces it everywhere.
"""

from collections.abc import Mapping
from typing import Final

_HAN: Final = "[ぁ-ゖァ-ヺー一-龥々]"
_CHINESE: Final = "\u3400-\u9fff"
_SPACES: Final = {
    r"[\u3040-\u30ff\u3400-\u9fff] [A-Za-z0-9]|(?<!\)s)(?<=[A-Za-z0-9]) [\u3040-\u30ff\u3400-\u9fff]": (
        "no space between Latin letters or numbers and others"
    )
}

FORBIDDEN: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        # roles and numbers, not pronouns
        r"\b(some|no|every|any)body\b|\b[Ww]hoever\b": "the role; someone else, no player, everyone",
        r"\b[Ww]hatever for\b|\b[Ss]o many\b": "any; the number",
        # plain grammar
        r"\b(is|are|was|were|be) no\b(?! longer)": "is not a, has no",
        r"\banew\b|\bany more\b|\b[Mm]eanwhile\b|\bso that\b|\bin spite of\b|\bfor good\b|\bshall\b": (
            "again, no longer, to, despite, permanently"
        ),
        r"\balready([.:;,]|$)": "already, before the participle",
        r"\b[Ss]t(ands?|ood)\b|\b(is|are) there\b": "is listed, shown or saved",
        r"\b(a|one) [a-z]+ (at least|at most)\b|\bat (least|most)[.;]": "at least one, at most one",
        r"\b[Oo]ne a (line|day|table)\b": "one per line",
        r"^[Ll]eft empty\b|[.:] Empty:": "Leave empty to …",
        # actions
        r"^(Make|Take|Go on)\b": "Create, Remove, Continue",
        r"\b([Tt]ak(e|es|en|ing)|took) ([a-z]+ )?(away|back|out)\b": "remove, undo",
        r"\bgo(es)? on\b|\bwent on\b": "continue",
        r"\b[Mm]end(s|ed)?\b": "correct",
        r"\b[Tt]ype\b(?! of)|\b[Ww]rite\b": "enter",
        r"\b[Ss]ay (why|what|how|who|if|so)\b|\b[Ll]ook (at it|again)\b": "give a reason, enter, check",
        r"\b[Ss]en[dt]s? .*\baway\b": "expel",
        # terms
        r"\b[Ff]ouls?\b|\b[Ii]nfractions?\b": "offence",
        r"\b[Pp]unish|\b[Pp]enalis": "penalize",
        r"\b[Cc]atalogues?\b|\b([Tt]he|rule) books?\b": "penalty rules, the rules",
        r"\b[Mm]atters?\b": "dispute",
        r"\b[Bb]yes?\b": "sit out",
        r"\b(go|goes|went|going) (up|down)\b": "promoted, relegated",
        r"(?<!\()\b[Hh]anchan\b(?!\))": "game; hanchan is a length",
        r"(?<![Ss]core )(?<!\()\b[Ss]heets?\b": "score sheet",
        r"\b[Tt]he public\b": "visitors",
        r"\b[Ww]ish(es|ed)?\b": "preference",
        r"\b[Ii]s silent\b": "not mentioned",
        r"\bl\. ?\d": "no line of a transcription",
        # marks
        ";": "two sentences",
        "'": "’",
        r"\d \d{3}\b": "30,000",
    },
    "ja": {
        # terms
        "紛議": "トラブル",
        "レベル": "級",
        "違反|ファ[ウー]ル": "反則",
        "処分": "ペナルティ",
        "罰則": "反則規定（一覧）、ペナルティ（内容）",
        "責任者": "包の対象者",
        "アガった人|上がった人": "和了者",
        "不戦敗": "不成立（卓）、棄権（選手）",
        "足切り": "進出",
        "スコア(?!シート)": "ポイント",
        "プレ[イー]ヤー": "選手",
        "時計": "タイマー",
        "所有者": "オーナー",
        "主催|運営者": "運営",
        "運営スタッフ": "スタッフ",
        "(?<!ハッシュ)チェーン|連鎖": "ハッシュチェーン",
        "着順点": "順位点",
        "ゲーム": "対局",
        "編成": "卓組",
        "代走(?=[がはも])|代走を(?!務め)": "代走者",
        "取り下げ": "取り消し",
        "ラス回避": "4着回避率",
        "パオ": "包",
        "食い替え|食替|食いタン|食断": "喰い替え、喰いタン",
        "上家取り(?!）)": "頭ハネ",
        # one way to write a word
        "コンマ": "カンマ",
        "ブラウザ(?!ー)": "ブラウザー",
        "サインイン": "ログイン",
        "写し": "コピー",
        "下さい|出来|全て|及び": "ください、でき、すべて、と",
        "[0-9]つ|ひとつ|あとで": "一つ、後で",
        "～": "〜",
        # marks: full width, and no space before a counter
        rf"{_HAN}[,:;!?](?! ?\d)|[,:;!?]{_HAN}": "、：；！？",
        rf"{_HAN}\((?![\d )])|\({_HAN}": "（）",
        **_SPACES,
        r"[\dsd}] (?=件|卓|人|枚|本|回|局|節|級|翻|符|MB)": "数と助数詞の間は空けない",
    },
    "zh-hant": {
        # terms: of the HKMA where it has one
        "違規": "犯規",
        "禁止和[牌了]": "和了禁止",
        "和牌者": "和了者",
        "和牌張|和牌的牌": "和了牌",
        "不聽立直|未聽牌的立直": "空立直",
        "停賽": "禁賽",
        "枝": "支",
        "枚": "張",
        "牌型": "牌形",
        "食[替斷]": "喰替、喰斷",
        "詐和": "錯和",
        "起家": "起莊者",
        "舍牌": "捨牌",
        "名次": "排名",
        "判負": "作廢",
        "規則書": "規則、罰則",
        "犯規目錄": "罰則",
        "記分表": "記分卡",
        "抽籤種子": "抽籤編號",
        "擬訂": "編排",
        "打點": "點數、得點",
        "代打": "由替補出賽",
        "上場": "出賽",
        "處罰": "處分",
        "選手權": "錦標賽",
        "原因": "理由",
        "觀看": "查看",
        "身份": "身分",
        "您": "你",
        # Taiwan
        "使用者": "用戶",
        "帳號": "帳戶",
        "網路": "網絡",
        "位址": "地址",
        "電子郵件|信箱": "電郵",
        "裡": "裏",
        "什麼": "甚麼",
        "軟體": "軟件",
        "影片": "短片",
        "送出": "提交、傳送",
        # the mainland
        "登錄": "登入",
        "賬": "帳",
        "上傳": "上載",
        "導[入出]": "匯入、匯出",
        "打印": "列印",
        "屏幕": "螢幕",
        "郵件": "電郵",
        "二維碼": "QR碼",
        "服務器": "伺服器",
        "搜索": "搜尋",
        "菜單": "選單",
        "創建": "建立",
        "添加": "新增、加入",
        "默認": "預設",
        "分辨率": "解像度",
        "[“”]": "「」",
        # marks: full width
        **_SPACES,
        rf"[{_CHINESE}）」”][,:;?!(]|[):;,?!][{_CHINESE}]": "，：；？！（）",
    },
    "zh-hans": {
        # terms
        "违规": "犯规",
        "和了": "和牌",
        "错和": "诈和",
        "空立直|未听牌的立直": "未听牌立直",
        "判负": "作废",
        "离场": "逐出",
        "抢杠": "枪杠",
        "马点": "顺位点",
        "未听罚符": "不听罚符",
        "荒牌平局": "荒牌流局",
        "名次": "排名",
        "规则书": "规则、罚则",
        "犯规目录": "罚则",
        "记分表": "记分卡",
        "抽签种子": "抽签编号",
        "拟订": "编排",
        "打点": "点数、得点",
        "扩展自": "基于",
        "代打|出场|上场": "出赛",
        "建立": "创建",
        "理由": "原因",
        "(?<!严)重犯": "再犯",
        "处分": "处罚",
        "您": "你",
        # Hong Kong and Taiwan
        "拥有者": "所有者",
        "自订": "自定",
        "账号|[帐戶][户号戶]": "账户",
        "使用者名": "用户名",
        "网路": "网络",
        "伺服器": "服务器",
        "档案": "文件",
        "储存": "保存",
        "登入|登出": "登录、退出",
        "上载": "上传",
        "汇[入出]": "导入、导出",
        "列印": "打印",
        "萤幕": "屏幕",
        "连结": "链接",
        "搜寻": "搜索",
        "备妥": "准备好",
        "其间": "在此期间",
        "[「」]": "“”",
        # marks: full width
        **_SPACES,
        rf"[{_CHINESE}）」”][,:;?!(]|[):;,?!][{_CHINESE}]": "，：；？！（）",
    },
}

# What keeps such a word or mark, as regular expressions, each with the reason.
KEPT: Final[Mapping[str, str]] = {
    # English
    r"^%\(before\)s; %\(after\)s$": "the mark between clauses that hold commas",
    "there (are no matchdays|is no clock)|There are no log": "of things that do not exist",
    "takes? back their own": "deposits, in a rule of the game",
    "in the public calendar": "the calendar that the public reads",
    "write them down": "on paper",
    r"Type it again without it": "of one character",
    "(same|saved|one) sheet": "a score sheet named a moment before; paper",
    "[Tt]he last hand is no exception": "a phrase",
    r"(it|discard|meld|riichi) stands|let it stand": "valid, in the rules of play",
    "taken? back|take it back": "a tile, in the rules of play",
    r"([Oo]nly|The|play a|with|Soul,|Tenhou,|For a) hanchan|\. Hanchan is|^hanchan$|or "
    "hanchan$": "the length of a game",
    "違規曝露": "the name of the offence in the rules of the HKMA",
    "违规暴露手牌": "the same in Simplified Chinese",
    "违例流局": "the term of the beginners' guide",
    "可被禁止和了": "the sentence of the rules of the HKMA",
    "没有(正当)?理由": "a justification, not a reason that somebody gives",
    r"(?<=[则則ル盟グ]) (20\d\d|[AB])( [罰罚反])?": "a part of the name of published rules",
    "按章處罰": "the sentence of the rules of the HKMA",
    "伺服器日誌中查看原因": "a cause, not a reason that somebody gives",
    "空立直（喊立直后反悔）": "the riichi that the EMA calls empty: called and taken back",
    "再三重犯": "again and again, not the second time",
    "按错和|视为错和|判为错和|判错和|故意错和|^错和（无意": "the term of the rules of the HKMA",
    r"陳大文, 3|陈大文, 3|[露槓杠]\(555z\)|[圆圓]括[号號]\( \)": "as readers type it",
}

# English words with two meanings: alone they have a context.
TWO_MEANINGS: Final = (
    "accept|best|change|check|closed?|confirm|correct|draw|enter|filter|find|hand|last|log|open|past|paste"
    "|place|remove|saved|seat|set|show|time|void|when|where|why"
)

# In sources and documents: comments, docstrings, names. A name's words are read with blanks between them.
FORBIDDEN_IN_SOURCES: Final[Mapping[str, str]] = {
    r"\b[Aa]new\b": "again",
    r"\b[Ww]hoever\b": "the role; a player who",
    r"\b[Tt]old\b": "shown, listed, named; reported to",
    r"(?<![Tt]here )\b(is|are|was|were|be) no\b(?! (longer|one))": "is not a, has no",
}
