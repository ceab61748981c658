"""The words that the scripted model knows: what opens a request, what says little, and what may stand for what."""

ACTIONS = frozenset(
    """accept acknowledge add append approve archive arrange ask assign attach book buy calculate call cancel change check
    clear close comment compare compress compute convert copy count create decline delete deploy describe display download
    draft draw echo edit email escalate estimate explain export extract fetch fill filter find fix flag forward generate
    get give grant hold import inform install invite invoice issue join launch link list load lock log look mail make mark
    measure merge message monitor move mute notify open order pay ping pin plan play post prepare print promote propose
    publish pull push put query read rebook record refund register reject release remind remove rename reopen replace
    reply report request reschedule reserve reset resize resolve respond restart restore return review revoke roll run
    save scale scan schedule search send set share show silence snooze sort start stop store submit subscribe sum
    summarise summarize tag take tell test track transfer translate turn unlock update upload validate verify view void
    watch withdraw write""".split()
)
"""Verbs that open a request: `and` before one of them begins a new need, `and` before anything else does not."""

QUESTIONS = frozenset(
    "what what's which who whom whose when where how is are does did can could will should has".split()
)

OPENERS = frozenset(
    "please also then next first finally afterwards now kindly i we i'd we'd want need like would to".split()
)
"""Words before the verb of a request."""

VAGUE = frozenset(
    """add all anybody also ask call check else everybody find get give go have help just know let like list look make me must need
    new next now once one open out please put run search see set show still take tell thing today try up us use want way
    within without 查 查询 查看 查找 找 搜索""".split()
)
"""Words that say little about which tool is meant: weighed lightly, and searched for only where there is nothing else."""

EMPTY = frozenset("hello hey hi thank thanks ok okay yes no saying says titled called named there here".split())
"""Words that are no part of any request."""

SYNONYMS: dict[str, tuple[str, ...]] = {
    "add": ("sum", "create", "append"),
    "appointment": ("event", "meeting"),
    "bill": ("invoice",),
    "book": ("reserve", "hold", "create"),
    "bug": ("issue", "ticket"),
    "buy": ("order", "purchase", "book"),
    "calculate": ("sum", "compute"),
    "chat": ("message", "channel"),
    "colleague": ("person", "staff", "member"),
    "conference": ("meeting", "room"),
    "create": ("add", "open", "new"),
    "delete": ("remove", "erase"),
    "directions": ("route", "way"),
    "doc": ("file", "page", "document"),
    "document": ("file", "page"),
    "email": ("mail", "message"),
    "employee": ("person", "staff"),
    "fly": ("flight",),
    "holiday": ("leave", "vacation", "absence"),
    "ill": ("absence", "sick"),
    "issue": ("ticket", "fault"),
    "mail": ("email", "message"),
    "make": ("create",),
    "message": ("chat", "notify", "mail"),
    "new": ("create",),
    "notify": ("alert", "message"),
    "open": ("create", "start"),
    "photo": ("image", "picture"),
    "picture": ("image",),
    "ping": ("notify", "message", "alert"),
    "plane": ("flight",),
    "plus": ("sum", "add"),
    "pr": ("pull", "merge"),
    "pto": ("leave", "absence", "vacation"),
    "need": ("request",),
    "put": ("request", "submit"),
    "rain": ("weather", "forecast"),
    "remove": ("delete",),
    "repeat": ("echo",),
    "reserve": ("book", "hold"),
    "salary": ("payslip", "pay"),
    "schedule": ("create", "plan", "event"),
    "send": ("post", "write"),
    "sick": ("absence", "ill"),
    "tell": ("notify", "message"),
    "temperature": ("weather", "forecast"),
    "vacation": ("leave", "absence"),
    "weather": ("forecast", "temperature"),
    "write": ("create", "add"),
    "会议室": ("room", "meeting"),
    "休假": ("请假", "leave"),
    "创建": ("新建", "create"),
    "发票": ("invoice",),
    "天气": ("预报", "weather", "forecast"),
    "工单": ("ticket",),
    "报账": ("报销",),
    "报销": ("expense", "claim"),
    "搜索": ("查询", "search"),
    "文件": ("file",),
    "日程": ("calendar", "event"),
    "机票": ("flight",),
    "提交": ("submit",),
    "查询": ("get", "search"),
    "消息": ("message",),
    "航班": ("flight",),
    "请假": ("休假", "leave", "absence"),
    "通知": ("提醒", "notify", "message"),
    "邮件": ("mail", "email"),
    "预订": ("book", "reserve"),
}
"""Other words for a word, nearest first."""

IMPLIED: dict[str, tuple[str, ...]] = {
    "channel": ("channel", "message"),
    "date": ("day", "date"),
    "email": ("email", "mail", "address"),
    "id": ("number",),
    "mention": ("person", "colleague"),
    "name": ("city", "place", "person"),
    "path": ("folder", "file", "path"),
    "url": ("page", "link", "web"),
}
"""What a value of a kind speaks for in a tool's description."""

CHINESE_ACTIONS = (
    "提交 查询 查看 查找 搜索 列出 创建 新建 发送 通知 预订 预定 取消 关闭 删除 更新 修改 翻译 计算 告诉 添加 回复 打开 下载 上传 申请"
    " 批准 撤回 导出 请假 汇总 转发 查 找 订 发"
).split()
"""Verbs that open a request in Chinese, longer ones first."""

CHINESE_VAGUE = (
    "怎么样 是什么 什么 哪些 多少 一下 一笔 一个 一张 一份 一条 帮忙 帮我 给我 需要 请问 麻烦 可以 今天 明天 后天 昨天 请 我 的 了 把"
    " 给 为 在 是 吧 吗 呢 有 要 想 去 从 到"
).split()
