"""The options of a crawl and of a build, each declared once: type, range, default, and help in English and Chinese.

A field of `CrawlSettings` is an option of ``crawl run``, a key of the table [crawl] of ontocrawl.toml, an argument of
`ontocrawl.crawl`, a field of the explorer's form, and a row of the table in docs/commands.md. A field of
`BuildSettings` is an option of ``ontology build`` and an argument of `ontocrawl.learn`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ontocrawl.version import __version__
from ontology.choices import KINDS, MAX_TERMS, MIN_DOCUMENTS, UNPLACED, Reading

LinkKind = Literal[
    "anchor", "frame", "refresh", "script", "option", "relation", "noscript", "svg", "data", "jsdata", "document"
]  # fmt: skip
"""Kinds of links (crawler.pages.ways)."""
PANELS: Mapping[str, str] = MappingProxyType(
    {
        "Where it begins": "起点",
        "Limits": "上限",
        "Scope": "范围：跟随哪些链接",
        "Strategy and relevance": "策略与相关度",
        "Rounds": "分轮爬取",
        "Fetching": "抓取",
        "Results": "结果",
    }
)
"""Group of options in ``--help-all`` and in the explorer's form -> its Chinese name."""


class Section(BaseModel):
    """A table of a TOML file, as an immutable model; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def option(
    default: object, panel: str, *, en: str, zh: str, since: str = "1.0", is_local: bool = False, flag: str = "",
    metavar: str = "", **limits: Any,
) -> Any:  # fmt: skip
    """Declare an option as a field of a `Section`.

    Args:
        default: its value where nobody gives one.
        panel: the group of PANELS in which it is shown.
        en: its meaning in English, from which follow ``--help``, the documents, and the label in a form; of a flag
            that is set by default, what it means to take it away.
        zh: its meaning in Chinese.
        since: the first version that has it.
        is_local: whether only a user of this computer may give it, as it names a file or is about other people's
            servers, and no form of a browser.
        flag: its name on the command line, if that is another one.
        metavar: what the command line calls its value.
        **limits: its range, as of `pydantic.Field`.
    """
    shown: Any = {"panel": panel, "zh": zh, "since": since, "is_local": is_local, "flag": flag, "metavar": metavar}
    return Field(default=default, description=en, json_schema_extra=shown, **limits)


@dataclass(frozen=True)
class Declared:
    """An option as it was declared, for what shows, reads or checks it."""

    name: str
    flag: str
    """The option of the command line; of a flag that is set by default the one that takes it away."""
    kind: type
    """bool, int, float, str, Path, list for several, or dict for values by name."""
    item: type
    """Of a list the type of each of several; of others the kind."""
    choices: tuple[str, ...]
    """The texts that are allowed; empty for any."""
    default: Any
    least: float | None
    most: float | None
    en: str
    zh: str
    panel: str
    since: str
    is_local: bool
    metavar: str


@cache
def declared(section: type[Section]) -> Mapping[str, Declared]:
    """Return the options that a section declares, by name; fields without `option` are none."""
    found = {}
    for name, field in section.model_fields.items():
        shown: Any = field.json_schema_extra
        if shown is None:
            continue
        kinds = get_args(field.annotation) if get_origin(field.annotation) in (Union, UnionType) else [field.annotation]
        kind: Any = next(one for one in kinds if one is not type(None))
        spelled = f"--{'no-' if field.default is True else ''}{name.replace('_', '-')}"
        plain = {tuple: list, list: list, dict: dict, Literal: str}.get(get_origin(kind), kind)
        found[name] = Declared(
            name=name,
            kind=plain,
            item=next((one for one in get_args(kind) if isinstance(one, type)), str) if plain is list else plain,
            choices=get_args(kind) if get_origin(kind) is Literal else (),
            default=field.default,
            least=next((limit.ge for limit in field.metadata if hasattr(limit, "ge")), None),
            most=next((limit.le for limit in field.metadata if hasattr(limit, "le")), None),
            en=str(field.description),
            **{**shown, "flag": shown["flag"] or spelled},
        )
    return MappingProxyType(found)


def _texts(value: Any) -> Any:
    """Return a text or a list of texts as a tuple; other values unchanged, to be refused."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


def _text_of_path(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


PathText = Annotated[str | None, BeforeValidator(_text_of_path)]


def _with_a_name(user_agent: str) -> str:
    """Return the name of a crawler for servers; refuse one by which no robots.txt file can address it."""
    from crawler.fetching.robots_file import product_token

    if not product_token(user_agent):
        advice = "begin with a name of letters, hyphens and underscores, as in mybot/1.0 (+your address)"
        raise PydanticCustomError("user_agent", advice)
    return user_agent


# fmt: off
class ScopeSettings(Section):
    """Which links a crawl follows: keys of the table [crawl], and the table [scope] of a topic file."""

    stay: Literal["host", "domain", "prefix", "any"] = option("any", "Scope",
        en="stay at the seeds: on their host (scheme, name and port), in their registrable domain, or below their "
        "directory (prefix); any to leave them",
        zh="停留在种子处：在其主机（协议、名称和端口）上、在其注册域名内，或在其目录下（prefix）；any 表示可离开")
    host: Texts = option((), "Scope",
        en="the only hosts to crawl, with their subdomains",
        zh="仅爬取这些主机及其子域名")
    exclude_host: Texts = option((), "Scope",
        en="hosts not to crawl, with their subdomains",
        zh="不爬取的主机及其子域名")
    accept: Texts = option((), "Scope",
        en="regular expressions; only URLs with a match of one are crawled, whatever form they have",
        zh="正则表达式；只爬取与其中之一匹配的网址")
    reject: Texts = option((), "Scope",
        en="regular expressions; URLs with a match are not crawled",
        zh="正则表达式；不爬取与之匹配的网址")
    max_depth: int = option(0, "Scope", ge=0,
        en="maximum number of links from a seed; 0 means no limit",
        zh="距种子的最多链接数；0 表示不限")
    max_offtopic_depth: int = option(0, "Scope", ge=0,
        en="follow no link after so many pages in a row that are not relevant; 0 means no limit",
        zh="连续这么多个不相关网页之后不再跟随链接；0 表示不限")
    max_per_host: int = option(0, "Scope", ge=0,
        en="maximum number of links chosen of a host; 0 means no limit",
        zh="每个主机最多选取的链接数；0 表示不限")
    max_per_directory: int = option(0, "Scope", ge=0,
        en="the same for a directory of a host",
        zh="主机的每个目录最多选取的链接数；0 表示不限")
    max_per_pattern: int = option(0, "Scope", ge=0,
        en="the same for URLs that differ only in numbers, ids and values of parameters",
        zh="仅数字、标识和参数值不同的网址最多选取的链接数；0 表示不限")


class CrawlSettings(ScopeSettings):
    """The table [crawl]: defaults of ``crawl run``."""

    topic: str = option("rainstorm", "Where it begins",
        en="name of a topic, or path of a topic file; in `ontocrawl.toml` the path starts at the workspace",
        zh="主题的名称，或主题文件的路径；在 `ontocrawl.toml` 中路径相对于工作区")
    strategy: str = option("evidence_sum", "Strategy and relevance",
        en="name of a strategy (`crawl strategies`), or FILE.py:CLASS for your own",
        zh="策略的名称（`crawl strategies`），自己的策略写作 FILE.py:CLASS")
    limit_pages: int = option(300, "Limits", ge=0,
        en="maximum number of pages with status 200; 0 means no limit",
        zh="状态为 200 的网页的最大数目；0 表示不限")
    limit_time: float = option(0.0, "Limits", ge=0, allow_inf_nan=False,
        en="maximum time in seconds; 0 means no limit",
        zh="最长时间（秒）；0 表示不限")
    limit_relevant: int = option(0, "Limits", ge=0,
        en="maximum number of pages that the judge finds relevant; 0 means no limit",
        zh="判定为相关的网页的最大数目；0 表示不限")
    limit_generations: int = option(0, "Limits", ge=0,
        en="maximum number of generations of a strategy that has them (gafc, adaptive_ga, ant colonies ..); 0 means "
        "no limit",
        zh="有代的策略（gafc、adaptive_ga、蚁群……）的最大代数；0 表示不限")
    limit_gain: int = option(0, "Limits", ge=0,
        en="end when fewer than so many relevant pages are expected among the next 100 pages, by the upper end of the "
        "95 % interval; 0 means no limit",
        zh="预计后 100 个网页中的相关网页（95 % 区间的上端）少于此数时结束；0 表示不限")
    seed: int = option(0, "Strategy and relevance", ge=0,
        en="seed of the random generator",
        zh="随机数生成器的种子")
    strict_filter: bool = option(False, "Strategy and relevance", since="1.1",
        en="leave out the links that the strategy's filter rejects, as in the papers; else they are taken when nothing "
        "else is left",
        zh="不抓取被策略的过滤器拒绝的链接，同论文；否则在没有其他链接时抓取")
    target: Literal["predict", "cached", "oracle"] = option("predict", "Strategy and relevance",
        en="look-ahead at the target of a link: predict, cached (pages of other runs) or oracle (fetches it)",
        zh="对链接目标的预看：predict（预测）、cached（取其他爬取的网页）或 oracle（抓取目标）")
    judge: str = option("topic", "Strategy and relevance",
        en="decision whether a page is relevant: topic (function and threshold of the topic file), density, saturated, "
        "evidence, or another relevance function",
        zh="网页是否相关的判定：topic（主题文件的函数和阈值）、density、saturated、evidence，或另一个相关度函数")
    threshold: float | None = option(None, "Strategy and relevance", ge=0, le=1,
        en="R above which the judge finds a page relevant, in place of the threshold of the topic file or of the judge",
        zh="相关度高于此值的网页判定为相关，代替主题文件或判定的阈值")
    guide: str | None = option(None, "Strategy and relevance",
        en="relevance function of the strategies, or `published` for the one of each strategy's paper; by default "
        "`saturated` for strategies that use the vector of an ontology, and `word_density` in place of `density` for a "
        "topic with a list of words",
        zh="策略的相关度函数，`published` 表示各策略论文中的函数；默认对使用本体向量的策略为 `saturated`，"
        "对有词表的主题以 `word_density` 代替 `density`")
    weights: Literal["sem", "key", "sem_key"] | None = option(None, "Strategy and relevance",
        en="weights of the ontology's words: sem (similarity to the root), key (keyness in the papers) or sem_key "
        "(both); by default key where the ontology was learned from papers, else sem",
        zh="本体用词的权重：sem（与根的相似度）、key（在文献中的关键度）或 sem_key（两者）；"
        "本体由文献学得时默认为 key，否则为 sem")
    join: float = option(0.0, "Strategy and relevance", ge=0, le=1,
        en="part of their weights with which the words of the ontology join the topic's own words, for judge, guide "
        "and strategy; 0 to keep them apart",
        zh="本体的用词以其权重的这一部分并入主题自己的用词，用于判定、引导和策略；0 表示不并入")
    in_flight: int | None = option(None, "Fetching", ge=1, le=512,
        en="maximum number of pages in flight; 1 is the sequence of the papers. By default 8; for a world in memory, "
        "where nothing is waited for, 1 unless `reproducible`",
        zh="同时抓取的最多网页数；1 为论文的顺序。默认为 8；网页来源在内存中而无须等待时为 1，除非 `reproducible`")
    reproducible: bool = option(False, "Fetching",
        en="absorb pages in the order of choice, so that one seed gives one trace whatever the network's pace",
        zh="按选取的顺序处理网页，使同一随机种子无论网络快慢都得到同一轨迹")
    parsers: int = option(0, "Fetching", ge=0, le=64,
        en="number of processes that parse pages, for crawls that the processor limits, not the politeness to hosts; 0 "
        "to parse in the process of the crawl",
        zh="解析网页的进程数，用于受处理器而非礼貌间隔限制的爬取；0 表示在爬取的进程中解析")
    refresh_every: int = option(25, "Strategy and relevance", ge=0,
        en="pages between two re-scorings of the whole frontier; 0 means never",
        zh="两次重新评分整个待抓取队列之间的网页数；0 表示从不")
    short_queue: int = option(25_000, "Strategy and relevance", ge=0,
        en="number of queued links above which these re-scorings become rarer, so that their cost for each page stays "
        "the same; 0 means never",
        zh="待爬链接超过此数时重新评分的次数减少，使每页的开销不变；0 表示从不减少")
    snapshot_every: int = option(250, "Results", ge=1,
        en="fetches between two snapshots of a run",
        zh="爬取的两次快照之间的抓取数")
    user_agent: Annotated[str, AfterValidator(_with_a_name)] = option(
        f"ontocrawl/{__version__} (+https://w3id.org/ontocrawl)", "Fetching",
        en="how the crawler names itself to servers and in robots.txt; put your address into it",
        zh="爬虫对服务器和在 robots.txt 中的自称；请写入您的联系地址")
    ignore_robots_directives: bool = option(False, "Fetching",
        en="follow nofollow links and use noindex pages, where you may; robots.txt is obeyed all the same",
        zh="在您获准之处跟随 nofollow 链接并使用 noindex 网页；robots.txt 仍被遵守")
    skip_links: list[LinkKind] = option([], "Scope", since="1.1",
        en="kinds of links that are not followed, of anchor, frame, refresh, script, option, relation, noscript, svg, "
        "data, jsdata, document",
        zh="不跟随的链接种类：anchor、frame、refresh、script、option、relation、noscript、svg、data、jsdata、document")
    scripts: bool = option(False, "Scope", since="1.1",
        en="read the data files that the scripts of every page load, not only those of pages with few words",
        zh="读取每个网页的脚本所加载的数据文件，而不只是文字很少的网页的")
    documents: bool = option(True, "Scope", since="1.2",
        en="do not read PDF and Word files (DOCX)",
        zh="不读取 PDF 和 Word 文件（DOCX）")
    browser: bool = option(True, "Fetching", since="1.2",
        en="do not render in a browser the pages that scripts make",
        zh="不用浏览器渲染由脚本生成的网页")
    render: Texts = option((), "Fetching", since="1.2", metavar="HOST",
        en="hosts of which every page is rendered in a browser, with their subdomains, not only pages that are marked "
        "(extra browser, and Chromium)",
        zh="其所有网页（含子域名）都用浏览器渲染的主机，而不只是有标记的网页（需附加组件 browser 和 Chromium）")
    delay: float = option(1.0, "Fetching", ge=0, allow_inf_nan=False, is_local=True,
        en="seconds between two requests to one host",
        zh="对同一主机的两次请求之间的秒数")
    timeout: float = option(15.0, "Fetching", gt=0, allow_inf_nan=False,
        en="seconds that one request may take",
        zh="一次请求最多所用的秒数")
    max_bytes: int = option(4_000_000, "Fetching", gt=0,
        en="largest page, decoded",
        zh="解码后的最大网页（字节）")
    max_document_bytes: int = option(20_000_000, "Fetching", gt=0, since="1.2",
        en="largest PDF or Word file, decoded",
        zh="解码后的最大 PDF 或 Word 文件（字节）")
    ca_file: str | None = option(None, "Fetching", is_local=True,
        en="file of certificates (PEM) to trust in place of the bundled ones, where a network has its own; a path in "
        "`ontocrawl.toml` is relative to the workspace",
        zh="代替自带证书的可信证书文件（PEM），用于有自己证书的网络；`ontocrawl.toml` 中的路径相对于工作区")


class TermSettings(Section):
    """Which terms a corpus has: options of ``ontology terms`` and ``ontology build``."""

    min_documents: int = option(MIN_DOCUMENTS, "Terms", ge=1,
        en="minimum number of documents in which a term occurs",
        zh="术语至少出现于这么多篇文献")
    max_terms: int = option(MAX_TERMS, "", ge=1,
        en="maximum number of terms; the best are kept",
        zh="术语的最大数目；保留最好的")
    lexicons: tuple[Path, ...] = option((), "Hierarchy", flag="--lexicon", metavar="FILE",
        en="lexicon of your own (TSV); it precedes that of the field",
        zh="自己的词典（TSV），先于领域的词典")
    field: str | None = option(None, "Hierarchy", metavar="earth",
        en="use the lists that come with ontocrawl for this field of science; by default none",
        zh="使用 ontocrawl 自带的该学科领域的列表；默认不用")
    white: Path | None = option(None, "Terms", metavar="FILE",
        en="file of terms that are always kept",
        zh="总是保留的术语的文件")
    black: Path | None = option(None, "Terms", metavar="FILE",
        en="file of terms that are never kept",
        zh="从不保留的术语的文件")
    stop: Path | None = option(None, "Terms", metavar="FILE",
        en="file of words that no term begins or ends with",
        zh="术语不以其开头或结尾的词的文件")


class BuildSettings(TermSettings):
    """Options of ``ontology build``, beside the papers and the output folder."""

    topic: str = option("rainstorm", "",
        en="name of a topic, or path of a topic file; its label is the root of the ontology",
        zh="主题的名称，或主题文件的路径；其标签是本体的根")
    label: dict[str, str] | None = option(None, "", metavar="zh=..,en=..",
        en="labels of a new topic; its words are extracted from the corpus",
        zh="新主题的标签；其用词由文献抽取")
    words: dict[str, float] = option({}, "", metavar="A,B=0.8,..",
        en="words that a newspaper or an encyclopaedia would use for the field, beside those of the abstracts",
        zh="除摘要的用词外，报纸或百科全书对该领域会使用的词")
    reading: Reading = option("evidence", "Hierarchy",
        en="how the hierarchy is derived from the documents",
        zh="如何由文献得出层次")
    unplaced: str | None = option(None, "Hierarchy", metavar="|".join(UNPLACED),
        en="terms without a broader term: drop them or put them under the root; by default drop with --reading "
        "evidence, else root",
        zh="没有上位词的术语：丢弃（drop）或置于根下（root）；--reading evidence 时默认 drop，否则 root")
    evidence: str = option(KINDS[0], "Hierarchy", metavar=",".join(KINDS),
        en="evidence for classes: fca, and optionally topic models (lda) and association rules (apriori)",
        zh="类的证据：fca，以及可选的主题模型（lda）和关联规则（apriori）")
    classes: Path | None = option(None, "Hierarchy",
        en="upper classes of your own (TSV) to place terms under, in addition to those of the field",
        zh="除领域的上层类外，自己的上层类（TSV），术语置于其下")
    skeleton: tuple[Path, ...] = option((), "Hierarchy", metavar="FILE",
        en="OWL, SKOS or OBO file whose classes are the upper classes, in place of those of the field and the topic's "
        "curated ontologies",
        zh="OWL、SKOS 或 OBO 文件，以其中的类为上层类，代替领域的和主题的人工本体的上层类")
    wordnet: Path | None = option(None, "Hierarchy", metavar="FOLDER",
        en="folder with a wordnet that you have installed, to place terms that nothing else places: WordNet 3.0 or "
        "Open English WordNet, for Chinese with the data of OMW and CC-CEDICT",
        zh="已安装的词网的文件夹，用于安放别无依据的术语：WordNet 3.0 或 Open English WordNet，"
        "中文另需 OMW 和 CC-CEDICT 的数据")
    bundled: bool = option(True, "Hierarchy", flag="--bundled/--no-bundled",
        en="use the lexicon and upper classes of the topic's field, and the topic's curated ontologies",
        zh="使用主题所属领域的词典和上层类，以及主题的人工本体")
    verify_with: str | None = option(None, "Language model", metavar="BASE_URL",
        en="ask a language model for a class of each term that nothing places, and whether every X is a Y where only "
        "a name says so. Base URL of any server with the chat interface of OpenAI, such as http://localhost:11434/v1",
        zh="向语言模型询问无处安放的术语的类，以及仅由名称得知的“每个 X 都是 Y”是否成立。"
        "任何带有 OpenAI 对话接口的服务器的基础网址，如 http://localhost:11434/v1")
    verify_model: str | None = option(None, "Language model", metavar="NAME",
        en="name of the model at the server",
        zh="服务器上模型的名称")
    verify_tokens: int = option(200_000, "Language model", metavar="N", ge=1,
        en="largest number of tokens of all requests and answers",
        zh="所有请求和回答的最大词元数")
    licence: str = option("", "Version and header",
        en="licence of the ontologies, an IRI or text, for their headers",
        zh="本体的许可证，IRI 或文字，写入文件头")
    version: str = option("", "Version and header",
        en="number of the version, such as 1.0.0; by default the one after that in the folder",
        zh="版本号，如 1.0.0；默认为文件夹中版本的下一个")
    who: str = option("", "Version and header",
        en="name of the person who edited the files of the last build; by default the login name",
        zh="编辑了上次构建的文件的人的姓名；默认为登录名")
    creators: Texts = option((), "Version and header", flag="--creator",
        en="creator of the ontologies, a name or IRI, for their headers",
        zh="本体的作者，姓名或 IRI，写入文件头")


class RoundsSettings(Section):
    """How a crawl in rounds chooses and fetches."""

    size: int = option(500, "Rounds", flag="--round-size", ge=1,
        en="maximum number of links of a round; by default 500",
        zh="每轮的最多链接数；默认 500")
    per_host: int = option(50, "Rounds", flag="--round-per-host", ge=0,
        en="maximum number of links of a host in a round, 0 for no limit; by default 50",
        zh="每轮中每个主机的最多链接数，0 表示不限；默认 50")
    jobs: int | None = option(None, "Rounds", ge=1, le=512,
        en="tasks of a round at once, in processes; by default one, in that of the crawl, or a task a core of Spark",
        zh="一轮中同时进行的任务数，各用一个进程；默认在爬取的进程中只有一个，或 Spark 的每个核一个")
    spark: str | None = option(None, "Rounds", metavar="MASTER",
        en="run the tasks of a round on Apache Spark: local[N], local[*], spark://HOST:PORT, yarn or k8s://.. (extra "
        "spark, Java 17 or newer)",
        zh="在 Apache Spark 上运行一轮的任务：local[N]、local[*]、spark://主机:端口、yarn 或 k8s://……"
        "（需附加组件 spark，Java 17 或更新）")


class RunOptions(Section):
    """What is asked of one crawl beside the settings, and kept in its configuration."""

    world: str = option("live", "Where it begins", metavar="WORLD",
        en="where pages come from: live (the Web, the default), synthetic:PRESET?pages=N&seed=S, corpus:DIR, or "
        "archive:DIR",
        zh="网页来源：live（万维网，默认）、synthetic:预设?pages=N&seed=S、corpus:文件夹，或 archive:文件夹")
    like: Texts = option((), "Where it begins", metavar="URL",
        en="a page of the kind that is looked for, or its name in a corpus; it is fetched first, and counts as several "
        "pages for a strategy that learns from it (evidence_sum)",
        zh="所找的那类网页，或其在语料中的名称；首先抓取，对从中学习的策略（evidence_sum）相当于多个网页")
    unlike: Texts = option((), "Where it begins", metavar="URL",
        en="a page of another kind, the same way; it is fetched for its words",
        zh="另一类网页，同样给出；为其用词而抓取")
    cover: str = option("", "Where it begins", metavar="LEVEL|local",
        en="take turns over the classes so many levels below the root (1: its children), those in the most papers, or "
        "over the local ontologies of the topic",
        zh="轮流爬取根以下第几层（1 为其子类）中文献最多的类，或主题的局部本体")
    words: dict[str, float] = Field(default_factory=dict)
    """Words that a person gave with the classes, with weights above 0 to 1."""
    labels: str | None = option(None, "Where it begins", is_local=True, metavar="FILE#SET",
        en="labelled pages: a set of a file of lists of URLs or page names; only the metrics use them",
        zh="已标注的网页：文件中一组网址或网页名称的列表；仅用于度量")
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the strategy, by name."""
    rounds: RoundsSettings | None = None
    """How to crawl in rounds; None for a crawl that chooses a link whenever a place is free."""
    resolve: dict[str, str] = Field(default_factory=dict)
    """HOST:PORT -> address to connect to instead."""
    allow_loopback: bool = option(False, "Fetching", is_local=True,
        en="allow URLs of this machine",
        zh="允许本机的网址")
    politeness: bool = option(True, "Fetching", is_local=True,
        en="no delay between requests to a host; robots.txt is still obeyed",
        zh="对同一主机的请求之间不作间隔；robots.txt 仍被遵守")
    cookies: bool = option(True, "Fetching", is_local=True,
        en="neither keep nor send cookies",
        zh="既不保存也不发送 cookie")
    cookie_file: PathText = option(None, "Fetching", is_local=True, flag="--cookies", metavar="FILE",
        en="cookies of your own session, in Netscape's form as browsers and curl export them; their values are never "
        "written",
        zh="您自己会话的 cookie，采用浏览器和 curl 导出的 Netscape 格式；其值从不写出")
    warc: PathText = option(None, "Results", is_local=True, metavar="DIR",
        en="record the crawl as WARC files in a new folder, to be crawled again",
        zh="将爬取录制为新文件夹中的 WARC 文件，以便再次爬取")
    graph: bool = option(True, "Results",
        en="do not write the run into the graph at its end",
        zh="结束时不写入图数据库")


class CrawlOptions(RunOptions):
    """The options of a new crawl."""

    strategy: str | None = None
    """Name of a strategy, FILE.py:CLASS or MODULE:CLASS; None for the workspace's setting."""
    classes: Texts = option((), "Where it begins", flag="--class", metavar="CLASS",
        en="crawl for a class of the topic's ontology, or a term of its papers, in place of the whole topic, by the "
        "words of the papers that have it: its label, another name or its IRI; several take turns",
        zh="为主题本体的类（标签、其他名称或 IRI）或文献中的词爬取，代替整个主题；多个类轮流选取链接")
    prior: Texts = option((), "Where it begins", metavar="RUN",
        en="begin with what an earlier run in the graph found out of ranks, hosts and words of links, as far as the "
        "strategy reads these",
        zh="以图中此前爬取所得的排名、主机和链接用词开始，只要策略读取它们")
    run: str | None = option(None, "Results",
        en="name of the run; by default the date and the strategy",
        zh="爬取的名称；默认为日期和策略")
    settings: dict[str, Any] = Field(default_factory=dict)
    """Values that override the workspace's [crawl] table; None for its value."""
# fmt: on


LIMITS = tuple(name for name in CrawlSettings.model_fields if name.startswith("limit_"))
"""Settings that end a crawl; a resumed run can have others."""
