"""Words that name nothing in any domain: they bound a term and are no part of one. Lists of our own, Chinese, English.

A Chinese word stands here only where it is unlikely to be a piece of a longer technical word.
"""

from __future__ import annotations

ZH_BREAK = frozenset("的了吗呢吧啊们这那哪您你我他她它很啦呀嘛哦么谁啥")
"""Characters that stand inside no technical term."""

ZH_SOFT = frozenset("是在和与及或等对为被将从向到有不以于并而但也都就则因由所其之") | frozenset(
    "此该各每个已再又还让使把给比较更最可能会要时后前中内上下间起来去"
)
"""Characters that are mostly function words: as neighbours they are a boundary, inside a term they may stand."""

_CHINESE = """
首页 主页 上一页 下一页 上一篇 下一篇 登录 注册 版权所有 联系我们 关于我们 返回顶部 网站地图 更多 客户端 微信
微博 公众号 扫一扫 分享 收藏 点击 点赞 评论 转发 阅读全文 阅读 浏览 编辑 责任编辑 来源 作者 原标题 摘要
关键词 栏目 频道 导航 专题 链接 相关链接 相关阅读 相关新闻 热点新闻 新闻 本报 本网 记者 通讯员 报道 据悉
据了解 据介绍 新华社 中新网 消息 讯 日电 截至 目前 近日 日前 昨日 今日 当日 今天 昨天 明天 当天 当前 现在
今年 去年 明年 近年来 近年 其中 其他 其它 以及 并且 而且 但是 然而 因此 所以 因为 由于 如果 虽然 为了 通过
根据 按照 随着 关于 对于 经过 作为 成为 可以 可能 能够 应当 应该 必须 需要 已经 正在 将会 即将 仍然 同时 此外
另外 例如 比如 包括 以上 以下 之间 之后 之前 以来 以内 以外 左右 期间 时候 时间 一些 一个 一种 一次 一定 一般
一直 一起 一旦 多个 多次 许多 很多 大量 部分 全部 所有 各种 各类 各地 各级 各个 这些 那些 这个 那个 这种 什么
怎么 如何 为何 没有 不是 不会 不能 非常 十分 特别 尤其 比较 更加 进一步 最大 最高 最低 最新 主要 重要 重大
显著 明显 严重 不同 相关 有关 相应 具体 基本 有效 全面 积极 及时 迅速 立即 持续 不断 逐步 逐渐 突然 造成 导致
引发 引起 影响 发生 出现 产生 形成 发布 公布 宣布 启动 开展 组织 加强 推进 推动 建立 健全 完善 提高 提升 增强
做好 落实 要求 表示 指出 认为 强调 介绍 显示 说明 提出 提供 采取 实施 进行 实现 使用 利用 采用 结合 参与 属于
位于 达到 超过 增加 减少 下降 上升 开始 结束 继续 完成 准备 安排 部署 确保 保证 避免 防止 注意 关注 了解 知道
发现 得到 受到 带来 给予 针对 围绕 面对 面临 应对 提醒 呼吁 局部 局地 生效 客户 全媒体 客户端记者 监制 校对
见习 实习 图片 视频 文字 图源
时段 时期 正值 加重 加剧 缓解 减轻 警惕 防范 请 多于 少于
建设 发展 工作 情况 问题 方面 原因 结果 作用 内容 方式 方法 过程 阶段 部门 单位
人员 专家 市民 居民 群众 人民 同志 领导 负责人 有关部门 国家 全国 我国 中国 全省 全市 全县 本市 当地 地方
地区 区域 世界 国际 社会 活动 会议 研究 分析 论文 文章 结论 意义 特点 特征 概念
"""

ZH_WORDS = frozenset(_CHINESE.split())
"""Discourse, navigation and office words."""

_ENGLISH = """
a an the this that these those and or but nor so yet if then than as at by for from in into of off on onto
out over per since through to under until up upon via with within without about above across after again
against along among around because before behind below beneath beside between beyond during except inside
near outside toward towards while whether although though unless when where which who whom whose what why how
i me my we us our you your he him his she her it its they them their be am is are was were been being have
has had having do does did done doing will would shall should can could may might must not no none never ever
also only just very too more most less least much many some any all both each every either neither other
others another such same own few several there here now once often always usually sometimes however therefore
thus hence moreover furthermore instead still already even rather quite almost well etc eg ie say says said
told tells tell make makes made making take takes took taken give gives gave given get gets got go goes went
gone come comes came see sees saw seen use uses used using find finds found show shows showed shown know
known call called calls become became becomes include includes included including cause causes caused causing
lead leads led leading occur occurs occurred report reports reported increase increased increases reduce
reduced reduces remain remains remained continue continues continued begin began start started end ended help
helps keep kept issue issued issues affect affected affects hit hits follow following followed based need
needs needed want new old first second third last next previous recent recently early late later today
yesterday tomorrow year years month months week weeks day days hour hours minute minutes time times one two
three four five six seven eight nine ten hundred thousand million billion good better best bad worse worst
big small large great high low long short major minor main different various general common important people
person man men woman women thing things way ways part parts place places number numbers area areas case cases
example kind type home page pages site website web click read view menu search login register contact privacy
policy terms copyright rights reserved share comment comments subscribe newsletter photo photos image images
video videos news article articles story source sources author editor email www http https com org net html
index back top prev facebook twitter weibo wechat editorial related links link
"""

EN_WORDS = frozenset(_ENGLISH.split())
"""Function words, verbs of reporting, vague nouns, navigation."""

EN_DEGREES = frozenset(("heavy", "severe", "serious", "strong", "extreme", "massive", "local", "regional", "event"))
"""Words that beside a label make no new term."""
