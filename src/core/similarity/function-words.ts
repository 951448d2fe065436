import { isStopWord } from '../text/stop-words.ts'

// Words that name no subject. English comes from recall, where they are neither indexed nor asked for.

/** Whether a word in small letters says nothing about what a statement is about. */
export function isFunctionWord(word: string): boolean {
  return isStopWord(word) || OTHERS.has(word)
}

const OTHERS: ReadonlySet<string> = new Set(
  `
  may must shall need needs please currently now still already
  der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden hat
  haben hatte sein mit von vom zu zum zur im in am an auf aus bei für nach über unter um als wie wenn dass es er sie wir
  ihr ich sich auch noch schon jetzt soll sollen sollte kann können man
  le la les l d un une des du de et ou mais est sont était étaient être a ont avait au aux en dans sur sous pour par avec
  ce cet cette ces il elle ils elles nous vous on se s qui que qu dont si comme plus maintenant
  el los las lo del al una unos unas y o pero es son era eran ser está están fue fueron ha han había en con por para
  sobre este esta esto ese esa eso se su sus que si como más ya ahora
  os as um uma uns umas do da dos das no na nos nas ao à e mas é são foi foram está estão tem com em por para sobre este
  esta isto esse essa seu sua que se como já agora
  и или но а в во на с со к ко по из от за для о об при это этот эта эти тот та те он она они мы вы я что как если же бы
  был была было были есть уже теперь сейчас
`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
