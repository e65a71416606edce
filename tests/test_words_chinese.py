"""One concept, one word: replaced terms and words of another region stay out of Chinese texts."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCALES = {"zh-hant": "zh_Hant", "zh-hans": "zh_Hans"}
# What is written otherwise: the word on the left, with the one to write instead.
REPLACED = {
    "zh-hant": {
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
    },
    "zh-hans": {
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
    },
}
# Texts that keep such a word, each with the reason.
KEPT = {
    "違規曝露": "the name of the offence in the rules of the HKMA",
    "违规暴露手牌": "the same in Simplified Chinese",
    "违例流局": "the term of the beginners' guide",
    "可被禁止和了": "the sentence of the rules of the HKMA",
    "没有(正当)?理由": "a justification, not a reason that somebody gives",
    "按章處罰": "the sentence of the rules of the HKMA",
    "伺服器日誌中查看原因": "a cause, not a reason that somebody gives",
    "空立直（喊立直后反悔）": "the riichi that the EMA calls empty: called and taken back",
    "再三重犯": "again and again, not the second time",
    "按错和|视为错和|判为错和|判错和|故意错和|^错和（无意": "the term of the rules of the HKMA",
}
CODECS = {"zh-hant": "big5hkscs", "zh-hans": "gb2312"}
HAN = "\u3400-\u9fff"
NARROW = re.compile(rf"[{HAN}）」”][,:;?!(]|[):;,?!][{HAN}]")
TYPED = re.compile(r"陳大文, 3|陈大文, 3|[露槓杠]\(555z\)|[圆圓]括[号號]\( \)")  # as readers type it


def spoken(language: str) -> Iterator[str]:
    """Every text that is shown in this language: of the interface, the rule sets and the penalty rules."""
    for path in (ROOT / "locale").rglob(f"{LOCALES[language]}/LC_MESSAGES/django.po"):
        for entry in polib.pofile(str(path)):
            yield from entry.msgstr_plural.values() if entry.msgid_plural else (entry.msgstr,)
    for path in sorted((ROOT / "scoring").glob("*/*.toml")):
        yield from named(tomllib.loads(path.read_text(encoding="utf-8")), language)
    notes = ROOT / "scoring" / "presets" / "notes" / f"{language}.toml"
    yield from tomllib.loads(notes.read_text(encoding="utf-8")).values()


def named(value: object, language: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == language and isinstance(inner, str):
                yield inner
            else:
                yield from named(inner, language)
    elif isinstance(value, list):
        for inner in value:
            yield from named(inner, language)


@pytest.mark.parametrize("language", LOCALES)
def test_one_concept_has_one_word(language):
    kept = re.compile("|".join(KEPT))
    texts = [kept.sub("", text) for text in spoken(language)]
    assert len(texts) > 4000
    assert {
        f"{word} ({better})": found
        for word, better in REPLACED[language].items()
        if (found := [text for text in texts if re.search(word, text)])
    } == {}


@pytest.mark.parametrize("language", LOCALES)
def test_no_text_has_characters_of_the_other_script(language):
    strange = [
        text
        for text in spoken(language)
        for character in re.sub("喰", "", text)  # of Japanese rules, in the name of a room of Tenhou
        if re.match(f"[{HAN}]", character) and not character.encode(CODECS[language], "ignore")
    ]
    assert strange == []


@pytest.mark.parametrize("language", LOCALES)
def test_punctuation_beside_chinese_characters_is_full_width(language):
    assert [text for text in spoken(language) if NARROW.search(TYPED.sub("", text))] == []


def test_every_exception_is_still_needed():
    texts = "\n".join(text for language in LOCALES for text in spoken(language))
    assert [words for words in KEPT if not re.search(words, texts, re.MULTILINE)] == []
