"""Words that tools and queries use for one another, in English and, for what is asked most, in Chinese."""

from catalog.search.words import term_of

_GROUPS = """
    get fetch retrieve obtain read 获取
    list show display enumerate view 列出 显示 查看
    search find lookup query discover 搜索 查找 查询 寻找
    create add make generate new 创建 新建 添加 生成
    delete remove erase 删除 移除
    update edit modify change 更新 修改 编辑
    send post deliver 发送
    save store write 保存 写入
    execute run 执行 运行
    convert transform 转换
    calculate compute 计算
    extract parse 提取 解析
    compare comparison 比较
    translate translation 翻译
    download 下载
    upload 上传
    cancel stop 取消 停止
    start begin launch 启动
    suggest recommend suggestion recommendation 推荐
    summary summarize overview 摘要 总结
    file document 文件 文档
    folder directory 目录
    picture image photo 图片 图像 照片
    film movie 电影
    song track music 音乐 歌曲
    video clip 视频
    page website site url web 网页 网站
    command shell terminal 命令 终端
    mail email 邮件
    message chat text 消息
    issue ticket bug
    repository repo 仓库
    stock equity 股票
    price cost 价格
    company firm business 公司
    location place address 位置 地点 地址
    route direction navigation 路线 导航
    city town 城市
    country nation 国家
    hotel accommodation lodging 酒店
    restaurant dining 餐厅
    flight airline 航班
    trip travel journey 旅行
    book reserve reservation
    buy purchase order 购买
    paper article publication 论文 文章
    news headline 新闻
    chart graph plot diagram 图表
    spreadsheet excel workbook 表格
    slide presentation powerpoint
    database sql 数据库
    weather forecast 天气
    currency money 货币
    calendar schedule 日历 日程
    event appointment meeting 会议
    time clock 时间
    user member account 用户
    person people actor
    map 地图
    drug medication medicine 药物
    symptom disease 疾病
    doctor physician 医生
    crypto cryptocurrency bitcoin
    car vehicle auto 汽车
    house home property apartment 房屋
    job career employment 工作
    recipe cooking meal 菜谱
    course education learn 课程
    game match 游戏
    review rating 评论
    similar like related
    top best popular trending
    latest recent newest 最新
    near nearby around 附近
    code programming 代码
"""


def _synonyms() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in _GROUPS.split("\n"):
        words = {term_of(word): word for word in line.split()}
        for term in words:
            found.setdefault(term, {}).update((other, word) for other, word in words.items() if other != term)
    return found


SYNONYMS = _synonyms()
"""By index term, the terms that may stand for it, each with the word to call it by."""
