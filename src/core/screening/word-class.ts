// What a word may be to the rules: one bit each, so that a sentence is an array of numbers. A word may have several.

/** To set aside: ignore, disregard, forget. */
export const DISREGARD = 1 << 0
/** To set aside what a program may have as well: override, bypass, cancel. */
export const WEAKEN = 1 << 30
/** To go by: follow, obey, comply. */
export const FOLLOW = 1 << 1
/** What came earlier: previous, above, original. */
export const PRIOR = 1 << 2
/** All, any, every. */
export const WHOLE = 1 << 3
/** Instructions and prompts: what an assistant is given. */
export const ORDERS = 1 << 4
/** Rules, limits, safeguards: what an assistant is bound by. */
export const LIMITS = 1 << 5
/** New, following, instead. */
export const FRESH = 1 << 6
/** The assistant by name of its kind. */
export const HOST = 1 << 7
export const YOU = 1 << 8
export const MUST = 1 << 9
/** What an assistant gives back: response, answer, output. */
export const REPLY = 1 << 10
/** What should not leave: conversations, credentials, records. */
export const SENSITIVE = 1 << 11
/** To make visible: reveal, print, repeat. */
export const REVEAL = 1 << 12
/** To move elsewhere: send, forward, transfer, upload. */
export const SEND = 1 << 13
/** To change the world beyond the conversation: delete, buy, unlock, grant. */
export const ALTER = 1 << 14
/** To say, write or look something up: what a conversation is for. */
export const TALK = 1 << 15
/** To look into a record: review, check. */
export const INSPECT = 1 << 31
export const POLITE = 1 << 16
export const MINE = 1 << 17
export const NEGATE = 1 << 18
/** Words before a verb that make it a statement: they, it, will, does. */
export const SUBJECT = 1 << 19
export const SYSTEM = 1 << 20
/** From now on, in every conversation. */
export const ALWAYS = 1 << 21
/** Words that open a question or a clause without an imperative. */
export const OPENER = 1 << 22
/** To take a role: act, pretend, roleplay. */
export const PERSONA = 1 << 23
/** To tell: told, said, learned. */
export const TOLD = 1 << 24
/** Reader-facing verbs of letters and manuals: see, note, contact. */
export const READER = 1 << 25
/** Source text: code, snippet. */
export const CODE = 1 << 26
/** An email address, a URL, a domain. Set by the reader of words. */
export const ADDRESS = 1 << 27
/** A number, a quoted name, an identifier. Set by the reader of words. */
export const IDENTITY = 1 << 28
/** Looked at by its letters: the first word of an entry of several words, or of a rule. */
export const HEAD = 1 << 29
