"""Function words by language: indexed, but not counted in lengths, and dropped from a question that says more.

Words are folded (lower case, apostrophes gone) and not stemmed; a word is looked up before it is stemmed, in the
index and in the query alike. Languages without a list have no stop words.
"""

from .languages import primary_subtag

_ENGLISH = """
a about above after again against all also am an and any are arent as at be because been before being below between
both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either else ever every
few for from further get gets getting got had hadnt has hasnt have havent having he her here heres hers
herself hes him himself his how hows i if im in into is isnt it itd itll its itself ive just let lets may me
might mine more most much must mustnt my myself neither no nor not of off on once only or other otherwise ought our
ours ourselves out over own per please quite rather really same shall shant she shes should shouldnt so
some such than that thatll thats the their theirs them themselves then there theres these they theyd theyll theyre
theyve this those though through thus to too under until unto up upon us very via was wasnt we were werent
weve what whatever whats when whenever whens where wheres wherever whether which whichever while who whoever whom
whos whose why whys will with within without wont would wouldnt yes yet you youd youll your youre yours yourself
yourselves youve e.g i.e etc
"""

_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dabei
dadurch dafür dagegen daher damit dann daran darauf daraus darf das dass davon dazu dein deine dem den denn der deren
des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas
euch euer für gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren im in
ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen können könnte man mein meine meinem meinen
meiner mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine sich sie sind so soll sollte
sondern sonst über um und uns unser unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher
welches wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum zur zwar zwischen
"""

_FRENCH = """
a ai alors au aucun aussi autre aux avec avez avoir avons c ce ceci cela celle celles celui ces cet cette ceux chez ci
comme comment d dans de des donc dont du elle elles en encore entre est et étaient étais était étant été être eu eux
faire fait faut ici il ils j je jusqu l la le les leur leurs lorsqu lui m ma mais me même mes moi mon n ne ni nos notre
nous on ont ou où par parce pas peu peut peux plus pour pourquoi puis puisqu qu quand que quel quelle quelles quels qui
quoi s sa sans se sera ses si soi soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers
vos votre vous y
"""

_SPANISH = """
a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquí así aun aunque cada como cómo con contra
cual cuál cuales cuándo cuando de del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es esa
esas ese eso esos esta está están estar estas este esto estos fue fueron ha había hace hacer hacia han hasta hay la las
le les lo los más me mi mis mí mucho muy nada ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco
por porque puede puedo pues que qué quien quién se según ser si sí sido sin sobre son soy su sus también tan tanto te
tiene tienen todo todos tu tú tus un una unas uno unos usted ustedes y ya yo
"""

_ITALIAN = """
a abbiamo ad agli ai al alla alle allo anche ancora avere aveva c che chi ci ciò come con contro cosa cui d da dagli dai
dal dalla dalle dallo degli dei del dell della delle dello di dove e è ed era erano essere fa fare fra gli ha hai hanno
ho i il in io l la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nella nelle nello no noi non nostra
nostro o ogni per perché più può qual quale quali quando quanto quella quelle quelli quello questa queste questi questo
qui se sei si sì sia siamo sono sta stato su sua sue sugli sui sul sulla sulle suo suoi te ti tra tu tua tuo tutti tutto
un una uno vi voi
"""

_PORTUGUESE = """
a à ao aos aquela aquele aqui as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre
era essa essas esse esses esta está estão estas este estes eu foi for foram há isso isto já lhe mais mas me mesmo meu
meus minha minhas muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos pode por
porque posso qual quando que quem são se sem ser será seu seus só sobre sua suas também te tem têm ter tu tua um uma
umas uns você vocês
"""

_DUTCH = """
aan af al alle als altijd ander andere ben bij bent daar dan dat de der deze die dit doch doen door dus een en er ge
geen had heb hebben heeft hem het hier hij hoe hun iets ik in is ja je jij jouw kan kon kunnen maar me mee meer men met
mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw
van veel voor waar waarom wanneer want waren was wat we wel welk welke werd wie wij wil worden wordt zal ze zelf zich
zij zijn zo zonder zou
"""

_SCANDINAVIAN = """
af alla alle allt alltså andra andre at att av blev bli blir blive bliver da de deg dei dem den denna denne der dere
deres dess dessa det deras dig din dina dine disse dit ditt dom du där eg eit ej ein eller en enn er et ett etter fick
for fra från før få får för ha hade hadde han hans har havde have hende henne hennes her hon honom hos hun hur hva hvad
hvem hver hvilken hvis hvor hvordan hvorfor här i icke ikke ikkje in ingen inn inte ja jag jeg jer kan kom kunne kva kvi
man mange med meg mellan mellem mellom men mer mera mig min mina mine mit mitt mot mycket må många måste ned nei nej ni
nogen noget nogle noen noe nu nå någon något några när når och og också også om on op opp os oss over på samma seg sej
sig sin sina sine sit sitt ska skal skall skulle slik som så sådan sånn til till to ud un under upp ut utan uten vad var
vara vart varför vare ved vem verke vi vid vil vill ville vilken vilket vore være vår våra været åt än är
"""

_RUSSIAN = """
а без бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее её если есть еще ещё
же за здесь и из или им их к как какая какие какой когда кто ли либо мне может можно мой моя мы на надо нас наш не него
нее неё нет ни них но ну о об однако он она они оно от очень по под после потом потому при про раз с сам свой себя со
так также такой там тебя тем то тоже только том тот ту ты у уже хотя чего чей чем через что чтобы чье чья эта эти это
этого этой этом этот эту я
"""

# Single characters and pairs that carry grammar, not content; both scripts of Chinese.
_CHINESE = """
的 了 是 在 我 你 您 他 她 它 們 们 和 與 与 或 及 也 都 就 而 但 嗎 吗 呢 吧 啊 呀 嘛 哪 誰 谁 這 这 那 該 该 請 请 之
於 于 被 把 讓 让 給 给 很 如何 怎麼 怎么 怎樣 怎样 什麼 什么 甚麼 為何 为何 為什 为什 哪裡 哪里 哪個 哪个 哪些 是否
可以 可否 我們 我们 你們 你们 他們 他们 這個 这个 那個 那个 這些 这些 那些 以及 或者 還是 还是 因為 因为 所以 但是 如果
請問 请问 麼樣 么样 有沒 有没 沒有 没有 能否 需要 應該 应该
"""

_JAPANESE = """
の に は を た が で て と し れ さ も な い か へ や よ ね ます です した ある いる する こと これ それ あれ どの どう
なぜ いつ どこ から まで より ため ので のに には では とは です ませ せん でき きる ました ください 何 誰
"""

_KOREAN = """
은 는 이 가 을 를 의 에 와 과 도 로 에서 으로 하는 하고 이다 있는 있다 어떻 떻게 무엇 왜 어디 언제 누구 그리 리고 하지
지만
"""

_LISTS = {
    "da": _SCANDINAVIAN,
    "de": _GERMAN,
    "en": _ENGLISH,
    "es": _SPANISH,
    "fr": _FRENCH,
    "it": _ITALIAN,
    "ja": _JAPANESE,
    "ko": _KOREAN,
    "nb": _SCANDINAVIAN,
    "nl": _DUTCH,
    "nn": _SCANDINAVIAN,
    "no": _SCANDINAVIAN,
    "pt": _PORTUGUESE,
    "ru": _RUSSIAN,
    "sv": _SCANDINAVIAN,
    "zh": _CHINESE,
}


def stop_words_of(language: str) -> frozenset[str]:
    """Stop words of a language tag."""
    return frozenset(_LISTS.get(primary_subtag(language), "").split())
