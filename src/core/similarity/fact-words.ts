import { ENGLISH_STOP_WORDS, ENGLISH_WORDS } from '../text/everyday-words.ts'
import { foldCase } from './text-signature.ts'

// Words that carry the fact of a sentence in English, German, French, Spanish, Portuguese and Russian (negations also
// Dutch, Italian, Polish, Ukrainian). All are in small letters and composed, as `foldCase` gives them.

/** One side of an opposition: `pass` and `fail` are the two sides of the outcome. */
export interface Side {
  readonly axis: string
  readonly isPlus: boolean
}

/** Counts one by one, so that two of them cancel out: "not without". */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word) || word.endsWith("n't")
}

/** The side that a word takes, null when it takes none. */
export function sideOf(word: string): Side | null {
  return SIDES.get(word) ?? null
}

/** The digits of a spelled number from two to twelve, of tens and of powers; null for other words. */
export function spelledNumber(word: string): string | null {
  return SPELLED.get(word) ?? null
}

/** The words of a table, between white space. */
export function wordsOf(table: string): readonly string[] {
  return table.split(/\s+/).filter((word) => word !== '')
}

/** The rows of a table, of cells between `|`, of words; a line that begins with `|` goes on with the row above. */
export function rowsOf(table: string): readonly (readonly (readonly string[])[])[] {
  return table
    .split(/\n(?! *\|)/)
    .filter((row) => row.trim() !== '')
    .map((row) => row.split('|').map(wordsOf))
}

export function wordSet(table: string): ReadonlySet<string> {
  return new Set(wordsOf(table))
}

const NEGATIONS = wordSet(`
    no not never none neither nor cannot nothing nobody nowhere without
    cant dont doesnt didnt wont isnt arent wasnt werent shouldnt couldnt wouldnt mustnt hasnt havent hadnt
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder
    niet geen nooit zonder nie nigdy bez`)

/** Of a language in which several negations of one sentence are one: "ne … jamais", "никто не". */
export const CONCORD_NEGATIONS = wordSet(`
    ne pas jamais aucun aucune rien sans
    nunca jamás nada ningún ninguno ninguna nadie tampoco sin
    não nao nenhum nenhuma ninguém nem sem
    non mai senza nessuno
    не нет ни никогда без нельзя ничего никто никакой никакая ні немає`)

/** A row an axis: what stands on its plus side, and on its minus side. */
const AXES = `
outcome | pass passes passed passing succeed succeeds succeeded success successful successfully works worked erfolgreich bestanden gelungen funktioniert réussi réussie réussit succès fonctionne éxito exitoso exitosa funciona funcionó sucesso passou funcionou успешно успех прошёл прошел прошла прошли пройден пройдены работает
  | fail fails failed failing failure failures unsuccessful unsuccessfully broke breaks broken crash crashes crashed fehlgeschlagen gescheitert scheitert erfolglos kaputt échoué échouée échoue échec falló falla fallaron fallido fallida fracasó falhou falha falharam fracasso провалился провалилась провалились провалено упал упала упали сломан сломана сломано неуспешно
block | unblocked | block blocks blocked blocking blockiert bloqué bloquée bloqueado bloqueada заблокирован заблокирована заблокировано
fix | fix fixes fixed resolved resolves solved behoben gelöst corrigé corrigée résolu résolue resuelto resuelta corregido corregida resolvido resolvida corrigido corrigida исправлен исправлена исправлено решён решено решена
  | unfixed unresolved unsolved regressed regression ungelöst irrésolu
done | done complete completed finished fertig abgeschlossen terminé terminée terminado completado concluído готово завершено завершён завершен
  | incomplete unfinished unvollständig inachevé incompleto незавершено
accept | accept accepts accepted approve approves approved genehmigt akzeptiert accepté approuvé aceptado aprobado aceito aprovado принято одобрено
  | reject rejects rejected refuse refused denied declined abgelehnt rejeté refusé rechazado rejeitado recusado отклонено отклонён
enable | enable enables enabled aktiviert activé activée habilitado habilitada activado activada ativado включён включен включена включено
  | disable disables disabled deaktiviert désactivé désactivée deshabilitado desactivado desativado выключен выключена выключено отключён отключен отключена отключено
allow | allow allows allowed permit permitted erlaubt autorisé permitido разрешено
  | forbid forbids forbidden disallow disallowed prohibited banned verboten interdit prohibido proibido запрещено запрещён
truth | true wahr vrai verdadero verdadeiro истина | false faux ложь
valid | valid gültig valide válido | invalid expired ungültig abgelaufen invalide périmé inválido caducado scaduto verlopen
correct | correct korrekt correcto correto верно | incorrect wrong falsch incorrecto incorreto неверно
safe | safe | unsafe
support | supported unterstützt | unsupported
available | available verfügbar disponible disponível доступен | unavailable indisponible недоступен
active | active aktiv actif activo ativo активен | inactive inaktiv inactif inactivo неактивен
stable | stable stabil | unstable flaky instabil
possible | possible möglich posible possível возможно | impossible unmöglich imposible невозможно
public | public öffentlich público публичный | private privat privé privado приватный
required | required mandatory erforderlich obligatoire requerido obligatorio obrigatório обязательно | optional optionnel opcional необязательно
sync | sync synchronous synchron synchrone | async asynchronous asynchron asynchrone
order | before avant antes до | after après después depois после
rank | first erste premier primero primeiro первый | last letzte dernier último последний
change | increase increases increased | decrease decreases decreased reduce reduced
amount | more mehr más mais больше | less fewer weniger moins menos меньше
bound | least minimal min minimum mindestens minimaal minstens mínimo mínima minimo minima minimale
  | most maximal max maximum höchstens maximaal hoogstens máximo máxima massimo massima maximale
height | above over oben | below under unten
keep | add adds added | remove removes removed delete deletes deleted drop dropped
run | start starts started begin begins began gestartet beginnt commence empieza comienza inizia começa начинается
  | stop stops stopped end ends ended gestoppt endet termine finit termina finisce заканчивается
open | open opens opened öffnet öffnen ouvre ouvrent abre abren abrem apre aprono opent открывается открываются
  | close closes closed schliesst schließt schliessen schließen ferme ferment cierra cierran fecha fecham chiude chiudono sluit закрывается закрываются
line | online | offline
tone | light hell claro clair | dark dunkel oscuro escuro sombre
hand | left links | right rechts
way | up | down
include | include includes included | exclude excludes excluded`

const SIDES: ReadonlyMap<string, Side> = new Map(
  rowsOf(AXES).flatMap(([[axis = ''] = [], plus = [], minus = []]) => [
    ...plus.map((word): [string, Side] => [word, { axis, isPlus: true }]),
    ...minus.map((word): [string, Side] => [word, { axis, isPlus: false }]),
  ]),
)

/** A word without opposite that still changes what a text says: `only`, `unless`, `deprecated`, `friday`. */
export const FACT_WORDS = wordSet(`
    only except unless instead off always sometimes must should
    error errors timeout interrupted pending skipped cancelled canceled reverted deprecated obsolete outdated stale
    nur außer immer muss fehler abgebrochen veraltet
    seulement sauf toujours doit erreur erreurs interrompu obsolète
    solo sólo excepto siempre debe error errores interrumpido obsoleto
    só exceto sempre deve erro erros interrompido
    только кроме всегда должен должна ошибка ошибки прервано устарел устарело
    monday tuesday wednesday thursday friday saturday sunday
    january february april june july august september october november december`)

const SPELLED: ReadonlyMap<string, string> = new Map(
  (
    [
      ['2', 'two twice zwei deux dos dois duas два две twee'],
      ['3', 'three drei trois tres três три tre drie'],
      ['4', 'four vier quatre cuatro quatro четыре quattro'],
      ['5', 'five fünf cinq cinco пять cinque vijf'],
      ['6', 'six sechs seis шесть zes'],
      ['7', 'seven sieben sept siete sete семь sette zeven'],
      ['8', 'eight acht huit ocho oito восемь'],
      ['9', 'nine neun neuf nueve nove девять negen'],
      ['10', 'ten zehn dix diez dez десять dieci tien'],
      ['11', 'eleven elf onze одиннадцать'],
      ['12', 'twelve zwölf douze doce doze двенадцать dodici twaalf'],
      ['13', 'thirteen dreizehn treize trece'],
      ['14', 'fourteen vierzehn quatorze catorce'],
      ['15', 'fifteen fünfzehn quinze quince quindici vijftien пятнадцать'],
      ['16', 'sixteen sechzehn seize'],
      ['18', 'eighteen achtzehn'],
      ['20', 'twenty zwanzig vingt veinte vinte двадцать venti twintig'],
      ['30', 'thirty dreißig treinta trinta тридцать trente trenta dertig'],
      ['40', 'forty vierzig quarante cuarenta quarenta quaranta veertig сорок'],
      ['50', 'fifty fünfzig cinquante cincuenta cinquenta cinquanta vijftig пятьдесят'],
      ['60', 'sixty sechzig soixante sesenta sessenta sessanta zestig шестьдесят'],
      ['100', 'hundred hundert cent cien сто'],
      ['1000', 'thousand tausend mille mil тысяча'],
      ['1000000', 'million millions millionen millón milhão миллион'],
    ] as const
  ).flatMap(([digits, words]) => wordsOf(words).map((word): [string, string] => [word, digits])),
)

// Words that name no subject. English comes from recall, where they are neither indexed nor asked for.

/** Whether a word in small letters says nothing about what a statement is about. */
export function isFunctionWord(word: string): boolean {
  return ENGLISH_STOP_WORDS.has(word) || OTHERS.has(word)
}

const OTHERS = wordSet(`
  may must shall need needs please currently now still already
  der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden hat
  haben hatte sein mit von vom zu zum zur im in am an auf aus bei für nach über unter um als wie wenn dass es er sie wir
  ihr ich sich auch noch schon jetzt soll sollen sollte kann können darf dürfen man sondern je
  le la les l d un une des du de et ou mais est sont était étaient être a ont avait au aux en dans sur sous pour par avec
  ce cet cette ces il elle ils elles nous vous on se s qui que qu dont si comme plus maintenant peut peuvent
  el los las lo del al una unos unas y o pero es son era eran ser está están fue fueron ha han había en con por para
  sobre este esta esto ese esa eso se su sus que si como más ya ahora sino puede pueden può possono più
  os as um uma uns umas do da dos das no na nos nas ao à e mas é são foi foram está estão tem com em por para sobre este
  esta isto esse essa seu sua que se como já agora pode podem mogen kunnen kan meer
  stato stata stati state
  unser unsere unserer unserem unseren unseres notre votre leur leurs nuestro nuestra nuestros nuestras nosso nossa nossos nossas
  nostro nostra nostri nostre onze
  и или но а в во на с со к ко по из от за для о об при это этот эта эти тот та те он она они мы вы я что как если же бы
  был была было были есть уже теперь сейчас
`)

// A number with its unit. Times and sizes are kept in one base unit, so that `60 s` and `1 min` are the same quantity.

export interface Quantity {
  /** Equal for equal quantities, however they are spelled: `30000 time`, `50 %`, `2024-05-01`. */
  readonly key: string
  /** `time`, `size`, another unit, or empty. Dates, versions and codes have the dimension `code`. */
  readonly dimension: string
}

interface Unit {
  readonly dimension: string
  readonly factor: number
}

/**
 * Reads a token that has a digit, or a spelled number; null for any other word. `before` is the text in front of it,
 * where a sign or currency may stand; `after` what follows at once: `%` or a currency.
 */
export function quantityOf(token: string, before: string, after: string): Quantity | null {
  if (token === 'twice') return { key: '2 times', dimension: 'times' }
  const spelled = spelledNumber(token)
  if (spelled !== null) return { key: spelled, dimension: '' }
  const parts = NUMBER.exec(token)
  if (parts === null) return HAS_DIGIT.test(token) ? { key: token, dimension: 'code' } : null
  const [, digits = '', suffix = ''] = parts
  const sign = SIGNED.test(before) ? '-' : ''
  const number = sign + plainNumber(digits)
  const mark = CURRENCY.exec(before)?.[0] ?? CURRENCY.exec(after.charAt(0))?.[0] ?? ''
  const unit = suffix === '' ? (after.startsWith('%') ? '%' : mark) : suffix
  if (unit === '') return { key: number, dimension: '' }
  const known = unitOf(unit)
  if (known !== null) return inUnit(number, known)
  return suffix === '' ? { key: `${number} ${unit}`, dimension: unit } : { key: token, dimension: 'code' }
}

/** A bare number with the unit word that follows it; null when the word is no unit. */
export function withUnit(number: Quantity, word: string): Quantity | null {
  const unit = number.dimension === '' ? unitOf(word) : null
  return unit === null ? null : inUnit(number.key, unit)
}

/** `alle 6 Stunden`: a number with a unit says how much, whatever word stands before it. */
export function hasUnitBehind(text: string, end: number, number: Quantity): boolean {
  const [, word] = UNIT_BEHIND.exec(text.slice(end, end + UNIT_CHARS_MAX)) ?? []
  return word !== undefined && withUnit(number, foldCase(word)) !== null
}

const UNIT_BEHIND = /^[ -](\p{L}+)/u
const UNIT_CHARS_MAX = 24

const HAS_DIGIT = /\p{Nd}/u
const NUMBER = /^(\d[\d.,']*)(\p{L}*)$/u
/** A minus sign that is neither a dash nor part of a range. */
const SIGNED = /(?:^|[\s(=:,[$€£])-[$€£¥]?$/u
const CURRENCY = /[$€£¥₽]$/u
const THOUSANDS = /^\d{1,3}(?:[,']\d{3})+(?:\.\d+)?$/

/** `1,000` is `1000`, `1,5` is `1.5`. */
function plainNumber(digits: string): string {
  if (THOUSANDS.test(digits)) return digits.replaceAll(/[,']/g, '')
  return /^\d+,\d+$/.test(digits) ? digits.replace(',', '.') : digits
}

function inUnit(number: string, unit: Unit): Quantity {
  const value = Number(number)
  // A version (`1.2.3 s`) is no number; 2.3 m are 2300 mm, whatever binary fractions say.
  const scaled = Number.isNaN(value) ? number : String(Number((value * unit.factor).toPrecision(12)))
  return { key: `${scaled} ${unit.dimension}`, dimension: unit.dimension }
}

function unitOf(word: string): Unit | null {
  return UNITS.get(word) ?? null
}

const SECOND = 1_000
const DAY = 86_400 * SECOND

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      [
        'time',
        1,
        'ms msec millisecond milliseconds millisekunde millisekunden millisecondes milisegundos миллисекунд мс',
      ],
      [
        'time',
        SECOND,
        's sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунда секунды секунд сек',
      ],
      ['time', 60 * SECOND, 'min mins minute minutes minuten minuto minutos минута минуты минут мин'],
      ['time', 3_600 * SECOND, 'h hr hrs hour hours stunde stunden heure heures hora horas час часа часов'],
      ['time', DAY, 'd day days tag tage tagen jour jours día días dia dias день дня дней'],
      ['time', 7 * DAY, 'week weeks woche wochen semaine semaines semana semanas неделя недели недель'],
      ['month', 1, 'month months monat monate monaten mois mes meses mês месяц месяца месяцев'],
      ['month', 12, 'year years jahr jahre jahren ans année années año años ano anos год года лет'],
      ['size', 1, 'byte bytes octets байт'],
      ['size', 1e3, 'kb кб'],
      ['size', 1e6, 'mb мб megabyte megabytes'],
      ['size', 1e9, 'gb гб gigabyte gigabytes'],
      ['size', 1e12, 'tb'],
      ['size', 1_024, 'kib'],
      ['size', 1_048_576, 'mib'],
      ['size', 1_073_741_824, 'gib'],
      ['length', 1, 'mm millimetre millimetres millimeter millimeters'],
      ['length', 10, 'cm centimetre centimetres centimeter centimeters zentimeter'],
      ['length', 1_000, 'm metre metres meter meters mètre mètres metro metros метр метра метров'],
      ['length', 1_000_000, 'km kilometre kilometres kilometer kilometers kilomètres kilómetros'],
      ['weight', 1, 'g gram grams gramm'],
      ['weight', 1_000, 'kg kilo kilos kilogram kilograms'],
      ['volume', 1, 'ml millilitre millilitres milliliter'],
      ['volume', 1_000, 'l litre litres liter liters'],
      ['%', 1, '% percent prozent pourcent porciento процент процента процентов'],
      ['px', 1, 'px pixel pixels'],
      ['times', 1, 'x times mal fois veces vezes раз раза'],
    ] as const
  ).flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word): [string, Unit] => [word, { dimension, factor }]),
  ),
)

/** Every function word, negation, side and spelled number of the tables. */
export function listedWords(): Iterable<string> {
  return [
    ...wordsOf(ENGLISH_WORDS),
    ...OTHERS,
    ...NEGATIONS,
    ...CONCORD_NEGATIONS,
    ...SIDES.keys(),
    ...SPELLED.keys(),
  ]
}
