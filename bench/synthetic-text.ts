const VOCABULARY = 50_000
const FUNCTION_WORDS =
  'the of and to in is it that for was on with as at by this be are from or an have not'.split(' ')

/** So many words, four in ten of them function words. */
export function sentence(random: () => number, word: () => string, words: number): string {
  return Array.from({ length: words }, () =>
    random() < 0.4 ? FUNCTION_WORDS[Math.floor(random() * FUNCTION_WORDS.length)] : word(),
  ).join(' ')
}

/** Words of a vocabulary in which the n-th word is 1/n as frequent as the first. */
export function zipfWords(random: () => number): () => string {
  const words = Array.from({ length: VOCABULARY }, (_, place) => inventedWord(place + 1))
  const place = zipfPlaces(random, VOCABULARY)
  return () => words[place()] ?? ''
}

/** Places from 0 on, of which the n-th comes 1/n as often as the first. */
export function zipfPlaces(random: () => number, count: number): () => number {
  const sums: number[] = []
  let sum = 0
  for (let place = 1; place <= count; place += 1) {
    sum += 1 / place
    sums.push(sum)
  }
  return () => {
    const wanted = random() * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

function inventedWord(number: number): string {
  let word = ''
  for (let rest = number; rest > 0 || word.length < 4; ) {
    word += CONSONANTS.charAt(rest % CONSONANTS.length)
    rest = Math.floor(rest / CONSONANTS.length)
    word += VOWELS.charAt(rest % VOWELS.length)
    rest = Math.floor(rest / VOWELS.length)
  }
  return word
}

/** Numbers from 0 to 1, the same ones for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
