"""Words and marks that no text of the product has, as regular expressions, and what it has instead.

``test_translations`` looks for them in each catalogue, and in the names and notes of published
rules. A term belongs here when another one replaces it everywhere.
"""

from collections.abc import Mapping
from typing import Final

_HAN: Final = "[ぁ-ゖァ-ヺー一-龥々]"

FORBIDDEN: Final[Mapping[str, Mapping[str, str]]] = {
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
        r"[\dsd}] (?=件|卓|人|枚|本|回|局|節|級|翻|符|MB)": "数と助数詞の間は空けない",
    },
}
