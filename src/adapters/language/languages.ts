import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { LANGUAGES, type LanguageName, type Stemmer } from '../../core/search/words.ts'

// Irregular English forms and the form they are indexed under, which only has to be the same for all of a word's
// forms. Left out: forms that are more often another word (`found`, `felt`, `lay`, `saw` stay with their verb all the
// same, because questions ask for the verb).
const FORMS = `
  arose arisen arise, ate eaten eat, awoke awoken awake, beaten beat, became become, began begun begin, bent bend,
  bitten bit bite, blew blown blow, bought buy, broke broken break, brought bring, built build, burnt burn,
  came come, caught catch, chose chosen choose, crept creep, dealt deal, drank drunk drink, drawn drew draw,
  dreamt dream, driven drove drive, dug dig, fallen fell fall, fed feed, felt feel, fled flee, flew flown fly,
  forbade forbidden forbid, forgave forgiven forgive, forgot forgotten forget, fought fight, found find,
  froze frozen freeze, gave given give, gone went go, got gotten get, grew grown grow, heard hear, held hold,
  hid hidden hide, hung hang, kept keep, knew known know, laid lay, learnt learn, led lead, lent lend, lost lose,
  made make, meant mean, met meet, overrode overridden override, overwrote overwritten overwrite, paid pay,
  ran run, rang rung ring, ridden rode ride, risen rose rise, rewrote rewritten rewrite, said say, sang sung sing,
  sank sunk sink, sat sit, saw seen see, sent send, shaken shook shake, shone shine, shot shoot, shown show,
  slept sleep, slid slide, sold sell, spent spend, spoke spoken speak, spun spin, stole stolen steal, stood stand,
  struck strike, stuck stick, swam swum swim, swept sweep, sworn swore swear, taken took take, taught teach,
  thought think, threw thrown throw, told tell, tore torn tear, understood understand, undid undone undo,
  woke woken wake, won win, wore worn wear, withdrew withdrawn withdraw, written wrote write, wound wind,
  children child, feet foot, geese goose, indices indexes index, lives life, men man, mice mouse, people person,
  shelves shelf, teeth tooth, vertices vertex, wives wife, women woman, matrices matrix, analyses analysis,
  best better good, worse worst bad`

const IRREGULAR_ENGLISH: ReadonlyMap<string, string> = new Map(
  FORMS.split(',').flatMap((line) => {
    const forms = line.trim().split(/\s+/)
    const base = forms.at(-1) ?? ''
    return forms.slice(0, -1).map((form): [string, string] => [form, base])
  }),
)

// Longer words are no words of a language, and the stemmers' patterns take their time on them.
const WORD_CHARS_MAX = 32
const LATIN_LETTERS = /^[a-z\u00df-\u00f6\u00f8-\u00ff\u0153]+$/
const CYRILLIC_LETTERS = /^[\u0430-\u044f\u0451]+$/

/** Snowball stemmers, irregular English forms by table. */
const STEMMERS: Readonly<Record<LanguageName, (word: string) => string>> = {
  english: (word) => english(IRREGULAR_ENGLISH.get(word) ?? word),
  german,
  french,
  spanish,
  portuguese,
  russian,
}
const BY_NUMBER = LANGUAGES.map((name) => STEMMERS[name])

/**
 * Stems of six languages. Words with digits or with letters of another script are left as they are, so texts of other
 * languages lose nothing.
 */
export const languages: Stemmer = {
  stem(word, language) {
    const stemmer = BY_NUMBER[language]
    if (stemmer === undefined || word.length > WORD_CHARS_MAX) return word
    const letters = LANGUAGES[language] === 'russian' ? CYRILLIC_LETTERS : LATIN_LETTERS
    return letters.test(word) ? stemmer(word) : word
  },
}
