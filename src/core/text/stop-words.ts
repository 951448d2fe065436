// Function words. They are in most texts of their language, so they say nothing about which memory is meant, and they
// tell which language a text is in. `may` is left out of the English ones: it is a month.

export const ENGLISH_WORDS = `
  a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing down during each else few for from further had has have having he her here hers
  herself him himself his how however i if in into is it its itself just let me might more most must my myself no nor not
  now of off on once only or other our ours ourselves out over own same shall she should so some such than that the
  their theirs them themselves then there these they this those through to too under until up upon us very was we
  were what when where which while who whom whose why will with would yet you your yours yourself yourselves
  d ll m re s t ve`

export const GERMAN_WORDS = `
  aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit
  dann das dass dein deine dem den denn der des deren dessen dich die dies diese diesem diesen dieser dieses dir doch
  dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat hatte
  hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes
  jetzt kann kein keine keinem keinen keiner können könnte man mein meine mich mir mit muss müssen nach nicht nichts
  noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte sondern
  sonst über um und uns unser unsere unter vom von vor war waren warum was weil welche welchem welchen welcher wenn
  wer werde werden wie wieder wir wird wo wurde wurden würde zu zum zur zwar zwischen`

export const FRENCH_WORDS = `
  à ai ainsi alors après as au aucun aucune aussi autre autres aux avant avec avoir avons c ça car ce cela ces cet
  cette ceux chaque ci comme comment d dans de depuis des donc dont du elle elles en encore entre est et étaient était
  été être eu eux fait ici il ils j je l la là le les leur leurs lui m ma mais me même mes moi mon n ne ni nos notre
  nous on ont ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi
  s sa sans se sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos
  votre vous y`

export const SPANISH_WORDS = `
  a al algo algunos ante antes aquí así aún aunque cada como cómo con contra cual cuál cuando cuándo de del desde
  donde dónde dos durante e el él ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta está
  están estar estas este esto estos fue fueron ha había habían hace hacia han has hasta hay la las le les lo los más
  me mi mí mis mientras mucho muy nada ni no nos nosotros nuestra nuestro o otra otro otros para pero poco por porque
  pues que qué quien quién se sea según ser si sí sido sin sobre solo sólo son su sus también tanto te tiene tienen
  todo todos tras tu tú tus un una uno unos usted y ya yo`

export const PORTUGUESE_WORDS = `
  a à ainda alguém algum alguma ante antes ao aos aquela aquele aquilo as às até cada com como da das de dela dele
  depois do dos e é ela elas ele eles em enquanto entre era eram essa esse esta está estão estar este eu foi foram há
  isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nossa nosso num numa o onde os ou para
  pela pelas pelo pelos por porque qual quando que quem são se sem ser será seu seus si sido sob sobre sua suas só
  também te tem têm tenho ter teu tu tua tudo um uma você vocês`

export const RUSSIAN_WORDS = `
  а без более бы был была были было быть в вам вас ваш весь во вот все всё всего всех вы где да даже для до его ее её
  если есть еще ещё же за здесь и из или им их к как какая какой когда кто ли либо мне может мой мы на над надо нам
  нас наш не него нее неё нет ни них но ну о об однако он она они оно от очень по под после потому при про с сам
  свой себя со так также такой там тебя тем теперь то тоже только том тот ты у уже хотя чего чей чем через что чтобы
  чье эта эти это этого этой этом этот я`

const ENGLISH_SET: ReadonlySet<string> = new Set(ENGLISH_WORDS.split(/\s+/).filter((word) => word !== ''))

/** Whether an English word, folded and in small letters, says nothing by itself. */
export function isStopWord(word: string): boolean {
  return ENGLISH_SET.has(word)
}
