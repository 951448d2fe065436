/** JSON escapes control characters itself; what else a terminal or a reader would act on unseen is escaped as JSON can. */
export function safeJson(value: object, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : utf16(character),
  )
}

function utf16(character: string): string {
  let text = ''
  for (let at = 0; at < character.length; at++) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }
  return text
}
