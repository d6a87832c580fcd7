"""Conventional phrases of web pages in several languages, by what they are about.

Marked here is only what pages of many sites say alike: no sentence, no style of one.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Meaning(IntEnum):
    """What a phrase is about; its place in the table of counts."""

    CONSENT = 0
    COOKIE = 1
    """Speaks of cookies: consent, if it is not a line of the footer."""
    LEGAL = 2
    SHARE = 3
    COMMENTS = 4
    RELATED = 5
    ADVERTISEMENT = 6
    PAGINATION = 7
    HOME = 8
    BYLINE = 9
    FORM = 10
    ACCOUNT = 11
    NAVIGATION = 12
    TOPICS = 13
    """Heads a list of the site's own subjects."""
    COPYRIGHT = 14
    """Who owns the page: legal, also among other words."""
    NETWORK = 15
    """Names one of the social networks."""


# Phrases are apart by commas; "0" stands for any number.
PHRASES: Final = {
    Meaning.CONSENT: """
        accept cookies, accept all cookies, accept all, reject all, allow cookies,
        allow all cookies, reject cookies, decline cookies, cookie settings, cookies
        settings, cookie preferences, manage cookies, cookie consent, consent
        preferences, manage consent, privacy settings, privacy preferences, privacy
        choices, your privacy choices, do not sell my personal information, do not
        sell or share my personal information, do not sell my info, we use cookies, we
        value your privacy, this website uses cookies, this site uses cookies, uses
        cookies, use of cookies, strictly necessary cookies, targeting cookies,
        performance cookies, functional cookies, necessary cookies, legitimate
        interest, got it, i agree, alle akzeptieren, akzeptieren, alle cookies
        akzeptieren, alle ablehnen, cookie einstellungen, cookies akzeptieren,
        datenschutzeinstellungen, privatsphäre einstellungen, verwendet cookies,
        verwenden cookies, nutzt cookies, nutzen cookies, cookie zustimmung verwalten,
        einwilligung, privacy manager, utiq verwalten, tout accepter, accepter tout,
        tout refuser, accepter les cookies, gérer les cookies, paramètres des cookies,
        utilise des cookies, utilisons des cookies, continuer sans accepter, aceptar
        cookies, aceptar todas, aceptar todo, rechazar todas, rechazar todo,
        configurar cookies, utiliza cookies, utilizamos cookies, uso de cookies,
        aceitar cookies, aceitar todos, rejeitar, configurações de cookies, usa
        cookies, accetta i cookie, accetta tutti, rifiuta tutti, impostazioni cookie,
        utilizza cookie, alle cookies accepteren, alles accepteren, cookie
        instellingen, cookies accepteren, akceptuję, zaakceptuj, akceptuj wszystkie,
        odrzuć wszystkie, używa plików cookie, pliki cookies, ustawienia cookies,
        ustawienia prywatności, принять все, принять cookie, файлы cookie, использует
        файлы cookie, согласен, αποδοχή όλων, αποδοχή cookies, χρησιμοποιεί cookies,
        χρησιμοποιούμε cookies, απόρριψη όλων, godkänn alla, acceptera alla,
        inställningar för cookies, accepter alle, godta alle, cookies on this, 同意,
        接受所有, 接受全部, 接受, 全部接受, 我同意, 使用 cookie, 使用cookie,
        すべて許可, すべて同意する, クッキー設定, 모두 동의, 모두 수락, kabul et,
        tümünü kabul et, terima semua, cookies ablehnen, decline, manage options, save
        preferences, einstellungen speichern, save settings
    """,
    Meaning.COOKIE: """
        cookie, cookies, クッキー, gdpr, dsgvo
    """,
    Meaning.LEGAL: """
        ©, copyright, all rights reserved, terms of use, terms of service, terms and
        conditions, terms conditions, conditions of use, terms, privacy policy,
        privacy notice, privacy statement, privacy, cookie policy, cookies policy,
        cookie notice, cookie policies, cookies policies, legal, legal notice,
        disclaimer, disclaimers, imprint, accessibility, accessibility statement,
        editorial guidelines, modern slavery act, license, licensed under, refund
        policy, advertising terms, copyright notice, user agreement, code of conduct,
        sitemap terms, alle rechte vorbehalten, impressum, datenschutz,
        datenschutzerklärung, datenschutzhinweise, datenschutzbestimmungen, agb,
        nutzungsbedingungen, rechtliches, cookie richtlinie, cookie richtlinien,
        cookies tracking, haftungsausschluss, barrierefreiheit, nutzungsbasierte
        werbung, widerrufsrecht, allgemeine geschäftsbedingungen, tous droits
        réservés, mentions légales, politique de confidentialité, confidentialité,
        conditions générales, cgu, cgv, conditions d utilisation, todos los derechos
        reservados, aviso legal, política de privacidad, privacidad, política de
        cookies, términos y condiciones, condiciones de uso, todos os direitos
        reservados, termos de uso, política de privacidade, privacidade, termos e
        condições, tutti i diritti riservati, note legali, informativa privacy,
        informativa sulla privacy, dichiarazione di accessibilità, condizioni d uso,
        alle rechten voorbehouden, privacybeleid, privacyverklaring, algemene
        voorwaarden, wszelkie prawa zastrzeżone, regulamin, polityka prywatności,
        prawa zastrzeżone, все права защищены, политика конфиденциальности,
        пользовательское соглашение, правовая информация, свидетельство о регистрации,
        условия использования, πνευματικά δικαιώματα, όροι χρήσης, πολιτική απορρήτου,
        προσωπικά δεδομένα, δήλωση απορρήτου, personuppgiftspolicy, cookiepolicy,
        användarvillkor, integritetspolicy, personvern, privatlivspolitik, tietosuoja,
        版权所有, 版權所有, 版权, 版权声明, 免责声明, 免責聲明, 隐私政策, 隐私声明,
        隱私權政策, 服务条款, 用户协议, 法律声明, 备案号, icp备, icp证, 公网安备,
        保留所有权利, 著作権, 利用規約, プライバシーポリシー, 個人情報保護方針,
        無断転載, 이용약관, 개인정보처리방침, 무단전재, gizlilik politikası, kullanım
        koşulları, çerez politikası, tüm hakları saklıdır, kebijakan privasi, syarat
        dan ketentuan, hak cipta, pedoman media siber, حقوق النشر, جميع الحقوق محفوظة,
        سياسة الخصوصية
    """,
    Meaning.NETWORK: """
        facebook, twitter, x twitter, whatsapp, WhatsApp, linkedin, LinkedIn,
        pinterest, reddit, telegram, instagram, youtube, YouTube, tiktok, TikTok, tik
        tok, tumblr, flipboard, mastodon, threema, bluesky, messenger, snapchat,
        vkontakte, vk, xing, digg, delicious, stumbleupon, StumbleUpon, google plus,
        вконтакте, ВКонтакте, одноклассники, живом журнале, 微信, 微博, 新浪微博,
        腾讯微博, qq空间, QQ空间, 人人网
    """,
    Meaning.COPYRIGHT: """
        ©, copyright, all rights reserved, alle rechte vorbehalten, tous droits
        réservés, todos los derechos reservados, todos os direitos reservados, tutti i
        diritti riservati, alle rechten voorbehouden, wszelkie prawa zastrzeżone,
        prawa zastrzeżone, все права защищены, πνευματικά δικαιώματα, tüm hakları
        saklıdır, hak cipta, 版权所有, 版權所有, icp备, icp证, 公网安备, 保留所有权利,
        無断転載, 무단전재, جميع الحقوق محفوظة
    """,
    Meaning.SHARE: """
        share, share this, share this article, share this page, share this post, share
        this story, share on facebook, share on twitter, share on, share via, share
        link, share article, share the post, tweet, tweet this, copy link, link
        kopieren, copy url, email this, e mail, email, email article, email this
        article, print, print this, print article, print page, print this article,
        print thread, follow us, follow us on, follow, connect with us, bookmark, save
        article, like, 0 shares, teilen, artikel teilen, drucken, artikel drucken, per
        mail, per e mail, mailen, versenden, weiterempfehlen, merken, folgen sie uns,
        folge uns, auf facebook teilen, twittern, partager, partager sur, imprimer,
        envoyer, suivez nous, compartir, compartir en, imprimir, enviar, síguenos,
        siga nos, compartilhar, compartilhe, siga o, condividi, stampa, invia,
        seguici, delen, deel, afdrukken, volg ons, udostępnij, drukuj, wyślij, wyślij
        e mailem, podziel się, poleć, поделиться, поделиться с друзьями, твитнуть,
        распечатать, версия для печати, отправить, мы в соцсетях, κοινοποίηση,
        εκτύπωση, αποστολή, μοιραστείτε, ακολουθήστε μας, dela, del, jaa, tisknout,
        sdílet, paylaş, yazdır, bagikan, ikuti kami, 分享, 分享到, 分享到微信, 收藏,
        收藏文章, 打印, 列印, 打印本页, 复制地址, 字体, 调整字体, 調整字體, 大 中 小,
        大中小, 复制链接, 转发, 关注我们, 關注, 关注, 點讚, 点赞, 赞, 推荐给朋友,
        扫一扫, シェア, シェアする, ツイート, 印刷, はてな, 공유, 공유하기, 인쇄,
        مشاركة, شارك, طباعة, setja bókamerki
    """,
    Meaning.COMMENTS: """
        comment, comments, 0 comment, 0 comments, no comments, no comments yet,
        comments 0, leave a comment, leave a reply, leave reply, post a comment, post
        comment, post your comment, add comment, add a comment, add your comment,
        write a comment, view comments, show comments, read comments, view all
        comments, read the 0 comments, join the conversation, join the discussion,
        reader comments, recent comments, comments are closed, comments are now
        closed, commenting, reply, 0 reply, 0 replies, reply to, add to quote, quote,
        reply quote, report abuse, upvote, downvote, vote up, vote down, flag, report
        post, post reply, post a reply, write a reply, reply to this topic, reply to
        this thread, your answer, post your answer, your comment, kommentar,
        kommentare, 0 kommentar, 0 kommentare, 0 kommentare zu, kommentieren,
        kommentar schreiben, kommentar verfassen, kommentar hinzufügen, schreibe einen
        kommentar, schreiben sie einen kommentar, diskutieren sie mit, antworten,
        leserkommentare, commentaire, commentaires, 0 commentaires, laisser un
        commentaire, commenter, réagir, réagissez, répondre, comentario, comentarios,
        0 comentarios, deja un comentario, deja una respuesta, comentar, responder,
        comentário, comentários, 0 comentários, deixe um comentário, commenta,
        commenti, 0 commenti, lascia un commento, rispondi, reactie, reacties, 0
        reacties, reageer, plaats een reactie, beantwoorden, komentarz, komentarze,
        komentarzy, 0 komentarzy, komentarze 0, dodaj komentarz, skomentuj, twój
        komentarz, odpowiedz, forum, opinie, комментарий, комментарии, комментариев,
        комментарии 0, комментариев 0, 0 комментариев, 0 комментария, добавить
        комментарий, оставить комментарий, комментировать, лучшие комментарии,
        обсудить, ответить, обсуждение, σχόλια, σχόλιο, 0 σχόλια, σχολιάστε, προσθήκη
        σχολίου, γράψτε σχόλιο, απάντηση, kommentarer, 0 kommentarer, svara, svar,
        kommentoi, yorum, yorumlar, yorum yap, 0 yorum, komentar, 0 komentar, tulis
        komentar, 评论, 新闻评论, 我来说两句, 发表评论, 网友评论, 0条评论, 最新评论,
        热门评论, 跟贴, 0跟贴, 跟帖, 回复, 0条回复, 回覆, 留言, 發表評論, 評論,
        新聞評論, 写评论, 查看评论, 全部评论, コメント, コメントする, 返信, 댓글,
        댓글쓰기, 답글, تعليق, تعليقات, التعليقات, bình luận
    """,
    Meaning.RELATED: """
        related, related articles, related stories, related posts, related content,
        related news, related topics, related links, related products, related
        questions, related pages, related videos, related coverage, similar threads,
        similar articles, similar posts, similar topics, similar products, read more,
        read next, read also, see also, also read, also see, more stories, more news,
        more articles, more from, more on this story, more on, more like this, more
        in, up next, next story, next story in, you may also like, you might also
        like, you may like, you might like, recommended, recommended for you,
        recommended content, recommended articles, recommended reading, recommended
        stories, suggested, customers also bought, customers also viewed, people also
        viewed, people also bought, frequently bought together, complete the look,
        most read, most viewed, most popular, most commented, most discussed, popular,
        popular posts, popular articles, popular stories, popular now, trending,
        trending now, trending stories, latest, latest news, latest posts, latest
        stories, latest articles, latest videos, recent posts, recent articles, recent
        news, recently viewed, top stories, top news, top posts, editor s picks,
        editors picks, featured, featured articles, don t miss, in other news, what to
        read next, continue reading, story continues, from around the web, around the
        web, other recent stories, breaking news, mehr zum thema, zum thema, mehr
        lesen, lesen sie auch, lesen sie mehr, lesen sie weiter, auch interessant, das
        könnte sie auch interessieren, das könnte dich auch interessieren, das könnte
        ihnen auch gefallen, weitere artikel, weitere beiträge, weitere meldungen,
        weitere themen, weitere news, ähnliche artikel, ähnliche beiträge, ähnliche
        themen, ähnliche produkte, verwandte artikel, verwandte themen, mehr aus,
        meistgelesen, meist gelesen, am meisten gelesen, meistgelesene artikel,
        beliebteste artikel, neueste artikel, neueste beiträge, neueste nachrichten,
        letzte beiträge, aktuelle beiträge, aktuelle nachrichten, aktuelles,
        empfohlen, empfehlungen, mehr anzeigen, mehr news, top themen, aus dem archiv,
        articles liés, articles similaires, à lire aussi, lire aussi, sur le même
        sujet, sur le même thème, les plus lus, le plus lu, derniers articles,
        dernières actualités, vous aimerez aussi, à découvrir aussi, plus d articles,
        artículos relacionados, noticias relacionadas, relacionado, relacionados, más
        noticias, más información, más leídas, lo más leído, lo más visto, lo más,
        últimas noticias, te puede interesar, también te puede interesar, le puede
        interesar, lea también, lee también, entradas recientes, archivado en, leia
        também, veja também, leia mais, notícias relacionadas, mais lidas, mais
        notícias, últimas notícias, leggi anche, articoli correlati, potrebbe
        interessarti, i più letti, più letti, ultime notizie, altre notizie, lees ook,
        lees meer, gerelateerde artikelen, meest gelezen, laatste nieuws, czytaj
        także, czytaj też, czytaj więcej, zobacz także, zobacz też, zobacz również,
        przeczytaj także, przeczytaj również, polecane, polecamy, najczęściej czytane,
        najnowsze, najnowsze informacje, ostatnie wiadomości, powiązane artykuły,
        podobne artykuły, warto przeczytać, popularne, читайте также, читать также,
        читать дальше, смотрите также, ссылки по теме, материалы по теме, новости по
        теме, по теме, другие новости, также в разделе, главные новости, последние
        новости, новости партнеров, самое читаемое, самое популярное, популярное,
        популярные новости, рекомендуем, ещё по теме, еще по теме, похожие статьи,
        похожие материалы, лента новостей, что читают, διαβάστε επίσης, διαβάστε
        ακόμα, διαβάστε ακόμη, διαβάστε περισσότερα, δείτε επίσης, δείτε ακόμα,
        σχετικά άρθρα, σχετικά θέματα, σχετικές ειδήσεις, σχετικά, δημοφιλή, τελευταία
        νέα, τελευταίες ειδήσεις, περισσότερα, τα πιο δημοφιλή, διαβαστε ακομα,
        διαβαστε επισης, σχετικα αρθρα, läs också, läs även, läs mer, les også, læs
        også, mest læste, mest lest, mest läst, mest lesið, fleira áhugavert, senaste
        nytt, lue myös, luetuimmat, související články, čtěte také, nejčtenější,
        ilgili haberler, en çok okunanlar, son haberler, benzer haberler, berita
        terkait, baca juga, berita terpopuler, terpopuler, artikel terkait, berita
        lainnya, terkini, tag terpopuler, 相关, 相关阅读, 相关新闻, 相关文章,
        相关推荐, 相关报道, 相关链接, 相关专题, 相關新聞, 相關文章, 相關報導,
        延伸閱讀, 延伸阅读, 更多阅读, 推荐阅读, 推薦閱讀, 推荐, 热门, 热门推荐,
        热门文章, 热门新闻, 热门图片, 热点新闻, 热点推荐, 热点视频, 热点, 今日热点,
        猜你喜欢, 为您推荐, 精彩推荐, 精彩图片, 视频推荐, 图片推荐, 编辑推荐,
        编辑精选, 最新文章, 最新新闻, 最新, 排行榜, 新闻排行, 点击排行, 阅读排行,
        大家都在看, 热门排行, 热文推荐, 最多人看, 下一篇文章, 関連記事, 関連ニュース,
        あわせて読みたい, 人気記事, おすすめ記事, おすすめ, 最新記事, ランキング,
        アクセスランキング, 관련기사, 관련 기사, 많이 본 뉴스, 인기기사, 추천기사,
        최신뉴스, مقالات ذات صلة, اقرأ أيضا, مواضيع ذات صلة, الأكثر قراءة, مطالب مرتبط
    """,
    Meaning.ADVERTISEMENT: """
        advertisement, advertisements, advertising, ad, ads, an advertisement,
        sponsored, sponsored content, sponsored by, sponsored links, sponsored post,
        promoted, promoted content, paid content, paid for by, paid post, partner
        content, story continues below, article continues below, continue reading
        below, this advertisement has not loaded yet, ad feedback, affiliate links,
        anzeige, anzeigen, werbung, reklame, gesponsert, partnerangebot, publicité,
        annonce, contenu sponsorisé, publicidad, contenido patrocinado, patrocinado,
        especial publicidad, publicidade, conteúdo patrocinado, continua após a
        publicidade, pubblicità, contenuto sponsorizzato, advertentie, gesponsord,
        reklama, materiał sponsorowany, artykuł sponsorowany, реклама, на правах
        рекламы, партнерский материал, διαφήμιση, διαφημιση, χορηγούμενο, annons,
        annonse, mainos, mainoksia, reklam, iklan, scroll to continue with content,
        广告, 廣告, 推广, 赞助商链接, 赞助, 広告, pr, 광고, إعلان, إعلانات, quảng cáo
    """,
    Meaning.PAGINATION: """
        next, next page, previous, previous page, prev, previous post, next post,
        previous article, next article, previous thread, next thread, older posts,
        newer posts, older entries, newer entries, older, newer, load more, show more,
        page 0, page 0 of 0, last page, first page, go to page, view more, 0 of 0,
        weiter, nächste, vorherige, nächste seite, vorherige seite, nächster beitrag,
        vorheriger beitrag, nächster artikel, vorheriger artikel, ältere beiträge,
        neuere beiträge, seite 0, seite 0 von 0, suivant, précédent, page suivante,
        page précédente, article suivant, article précédent, siguiente, anterior,
        página siguiente, página anterior, página 0, próximo, próxima, artículo
        siguiente, artículo anterior, successivo, precedente, pagina 0, pagina
        successiva, volgende, vorige, następna, następna strona, poprzednia, następny,
        poprzedni, poprzednia strona, dalej, strona 0, следующая, предыдущая,
        следующий, предыдущий, следующая страница, страницы, страница 0, далее,
        вперед, επόμενη, προηγούμενη, επόμενο, προηγούμενο, επόμενη σελίδα, nästa,
        föregående, neste, forrige, sonraki, önceki, selanjutnya, sebelumnya, 下一页,
        上一页, 下一頁, 上一頁, 尾页, 末页, 首页 上一页, 下一篇, 上一篇, 下一章,
        上一章, 加载更多, 查看更多, 第0页, 次へ, 前へ, 次のページ, 前のページ, 다음,
        이전, التالي, السابق
    """,
    Meaning.HOME: """
        home, homepage, home page, you are here, start, startseite, sie sind hier, sie
        befinden sich hier, du bist hier, accueil, vous êtes ici, inicio, está aquí,
        usted está aquí, início, você está aqui, ti trovi in, sei in, u bent hier,
        strona główna, jesteś tutaj, tu jesteś, главная, главная страница, вы здесь,
        αρχική, αρχική σελίδα, βρίσκεστε εδώ, hem, hjem, forsiden, etusivu, domů, ana
        sayfa, anasayfa, beranda, trang chủ, 首页, 首頁, 新聞首頁, 主页, 當前位置,
        当前位置, 您的位置, 您现在的位置, 你的位置, 所在位置, 导航, 正文, 內文,
        ホーム, トップ, 홈, الرئيسية
    """,
    Meaning.BYLINE: """
        by, posted by, written by, published, published on, posted, posted on, posted
        in, updated, last updated, last modified, updated on, modified, reviewed by,
        author, authors, filed under, tagged, tags, tagged with, categories, category,
        min read, minute read, minutes read, 0 min, 0 min read, reading time, posted
        at, text by, photo by, source, edited by, released, contributing writer, staff
        writer, written, joined, posts 0, member since, location, january, february,
        march, april, may 0, 0 may, may 0th, june, july, august, september, october,
        november, december, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov,
        dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, hours
        ago, days ago, weeks ago, months ago, years ago, 0 hours ago, 0 days ago, 0
        weeks ago, 0 months ago, 0 minutes ago, von, veröffentlicht, veröffentlicht
        am, geschrieben von, autor, autoren, autorin, aktualisiert, zuletzt
        aktualisiert, stand, lesezeit, lesedauer, schlagwörter, schlagworte,
        kategorie, kategorien, quelle, uhr, januar, februar, märz, mai, juni, juli,
        oktober, dezember, par, publié le, publié, mis à jour, mis à jour le, auteur,
        rédigé par, janvier, février, mars, avril, juin, juillet, août, septembre,
        octobre, novembre, décembre, por, publicado, publicado el, publicado en,
        actualizado, etiquetas, fuente, enero, febrero, marzo, abril, mayo, junio,
        julio, agosto, septiembre, octubre, noviembre, diciembre, atualizado, janeiro,
        fevereiro, março, maio, junho, julho, setembro, outubro, novembro, dezembro,
        di, pubblicato, pubblicato il, aggiornato, aggiornato alle, autore, gennaio,
        febbraio, aprile, maggio, giugno, luglio, settembre, ottobre, dicembre, door,
        gepubliceerd, geplaatst, bijgewerkt, opublikowano, dodano, data publikacji,
        aktualizacja, źródło, tagi, stycznia, lutego, marca, kwietnia, maja, czerwca,
        lipca, sierpnia, września, października, listopada, grudnia, автор, авторы,
        опубликовано, обновлено, источник, теги, метки, дата, января, февраля, марта,
        апреля, мая, июня, июля, августа, сентября, октября, ноября, декабря, γράφει,
        του, συντάκτης, δημοσίευση, δημοσιεύτηκε, δημοσιεύθηκε, τελευταία ενημέρωση,
        ημερομηνία, πηγή, ιανουαρίου, φεβρουαρίου, μαρτίου, απριλίου, μαΐου, ιουνίου,
        ιουλίου, αυγούστου, σεπτεμβρίου, οκτωβρίου, νοεμβρίου, δεκεμβρίου, skrifar,
        av, publicerad, uppdaterad, publisert, oppdatert, oleh, penulis, editor,
        reporter, wib, yazan, güncelleme, 来源, 來源, 作者, 发布时间, 发布, 发稿时间,
        发表于, 发表, 时间, 编辑, 责任编辑, 责编, 记者, 記者, 文章来源, 本文来源,
        更新时间, 關鍵字, 关键字, 关键词, 标签, 字号, 摘自, 0年0月0日, 0月0日, 公開日,
        更新日, 著者, 執筆者, 文責, 投稿日, 기자, 입력, 수정, 등록, بواسطة, نشر,
        الكاتب
    """,
    Meaning.FORM: """
        search, search for, search results, search this site, subscribe, subscribe
        now, newsletter, newsletters, sign up for our newsletter, sign up, join our
        newsletter, get our newsletter, email address, your email, your name, your e
        mail, first name, last name, name, phone, phone number, message, submit, send,
        password, username, user name, remember me, forgot password, forgot your
        password, lost password, reset, required, sort by, sort, filter, filters,
        apply, clear all, choose, select, loading, rate this, user rating, send
        feedback, was this helpful, did this help, did you find what you needed,
        suche, suchen, suche nach, abonnieren, newsletter abonnieren, newsletter
        anmelden, absenden, senden, passwort, benutzername, passwort vergessen,
        angemeldet bleiben, ihre e mail adresse, e mail adresse, nachricht, sortieren,
        filtern, feedback senden, rechercher, recherche, s abonner, abonnez vous,
        inscrivez vous, mot de passe, mot de passe oublié, envoyer un message, nom,
        buscar, suscríbete, suscribirse, contraseña, correo electrónico, pesquisar,
        busca, assine, inscreva se, senha, cerca, iscriviti, ricerca, zoeken, zoek,
        inschrijven, wachtwoord, aanmelden, szukaj, wyszukaj, zapisz się, hasło,
        zapisz, поиск, найти, искать, подписаться, подписка, пароль, имя, почта,
        отправка, αναζήτηση, αναζητηση, εγγραφή, κωδικός, εγγραφείτε, sök, søk, hae,
        hledat, ara, cari, pencarian, 搜索, 搜尋, 搜寻, 查询, 订阅, 密码, 用户名,
        验证码, 换一张, 提交, 扫码登录, 检索, 検索, 購読, メールアドレス, パスワード,
        검색, 구독, 비밀번호, بحث, اشترك
    """,
    Meaning.ACCOUNT: """
        log in, login, sign in, sign up, register, create account, create an account,
        my account, account, log out, cart, your cart, basket, checkout, wishlist,
        subscribe, join us, join, find a store, store locator, already have an
        account, already registered, not a member, anmelden, einloggen, registrieren,
        mein konto, warenkorb, konto, abmelden, merkzettel, connexion, se connecter,
        mon compte, panier, s inscrire, iniciar sesión, ingresar, mi cuenta, carrito,
        registrarse, entrar, minha conta, carrinho, accedi, il mio account, carrello,
        registrati, inloggen, mijn account, winkelwagen, zaloguj, zaloguj się,
        zarejestruj, zarejestruj się, koszyk, moje konto, войти, вход, регистрация,
        личный кабинет, корзина, σύνδεση, είσοδος, εγγραφή, logga in, logg inn, log
        ind, kirjaudu, giriş yap, üye ol, masuk, daftar, 登录, 登入, 註冊, 注册,
        点击登录, 购物车, ログイン, 会員登録, カート, 로그인, 회원가입, تسجيل الدخول
    """,
    Meaning.NAVIGATION: """
        skip to content, skip to main content, skip to navigation, skip to main
        navigation, jump to content, jump to navigation, skip navigation, back to top,
        go to top, top of page, menu, main menu, open menu, close menu, toggle
        navigation, table of contents, contents, on this page, in this article,
        sitemap, site map, view all, see all, show all, browse, all categories,
        explore, quick links, zum inhalt springen, zum inhalt, zum hauptinhalt
        springen, nach oben, inhaltsverzeichnis, inhalt, hauptmenü, menü, alle
        anzeigen, alle themen, aller au contenu, haut de page, sommaire, menu
        principal, ir al contenido, saltar al contenido, menú, ver todo, ver todos,
        índice, ir para o conteúdo, ver mais, vai al contenuto, torna su, vedi tutti,
        ga naar inhoud, naar boven, przejdź do treści, do góry, spis treści,
        wszystkie, перейти к содержимому, наверх, содержание, меню, все новости,
        μετάβαση στο περιεχόμενο, κορυφή, κορυφή ιστοσελίδας, μενού, όλα, hoppa till
        innehåll, gå till innehåll, 返回顶部, 目录, 网站地图, 全部, 菜单, 目次,
        メニュー, 메뉴, zurück, zurück zum, zurück zur, zurück zur startseite, zur
        startseite, zur übersicht, zum seitenanfang, seitenanfang, back, back to,
        назад
    """,
    Meaning.TOPICS: """
        categories, topics, archives, archive, blogroll, links, pages, tag cloud,
        kategorien, themen, archiv, seiten, catégories, liens, categorías, archivos,
        categorias, arquivos, categorie, archivi, kategorie, archiwum, рубрики,
        категории, архив, архивы, разделы, κατηγορίες, αρχείο, 分类, 分類, 归档,
        标签云, 友情链接, 栏目, カテゴリー, アーカイブ, 카테고리
    """,
}
