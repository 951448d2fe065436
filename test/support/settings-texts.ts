// What people have in the settings of their programs.

const FOREIGN = '{"type":"command","command":"notify.sh"}'

/** Texts that a settings file of JSON may hold before init comes. */
export const JSON_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' \n\n',
  'a comment only': '// nothing yet\n',
  'a comment without line end': '/* nothing yet */',
  'an empty object': '{}',
  'an empty object and line end': '{}\n',
  'an open empty object': '{\n}\n',
  'an empty object with a comment': '{\n  // nothing yet\n}\n',
  'an empty object with a comment on its line': '{ /* nothing */ }',
  'foreign members': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  'no line end': '{\n  "model": "opus"\n}',
  'one line': '{"model":"opus","theme":"dark"}',
  'one line with a comma at the end': '{"model": "opus",}',
  tabs: '{\n\t"model": "opus",\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t}\n}\n',
  'four blanks': '{\n    "model": "opus",\n    "list": [\n        1\n    ]\n}\n',
  CRLF: '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n  "model": "opus"\n}\n',
  'a byte order mark and CRLF': '\uFEFF{\r\n  "model": "opus"\r\n}',
  'a byte order mark only': '\uFEFF',
  'a comma at the end': '{\n  "model": "opus",\n}\n',
  'a comma at the end of every list': '{\n  "mcpServers": {\n    "other": { "args": ["a",], },\n  },\n}\n',
  'comments everywhere':
    '// top\n{\n  // before\n  "model": "opus", // behind\n  /* block */ "theme": "dark" // last, with a comma\n  // end\n}\n// bottom\n',
  'a comment behind the last comma': '{\n  "model": "opus", // keep this\n}\n',
  'a block comment over lines behind the last': '{\n  "model": "opus" /* one\n  two */\n}\n',
  'braces and commas in texts': '{\n  "a": "},{ // no comment",\n  "b": "/* nor this */,"\n}\n',
  'foreign servers': '{\n  "mcpServers": {\n    "other": {\n      "command": "x" // mine\n    }\n  }\n}\n',
  'foreign hooks': `{\n  "hooks": {\n    "UserPromptSubmit": [\n      { "hooks": [${FOREIGN}] }\n    ],\n    "SessionStart": [{ "hooks": [${FOREIGN}] }]\n  }\n}\n`,
  'foreign hooks on one line': `{"hooks":{"UserPromptSubmit":[{"hooks":[${FOREIGN}]}],"Stop":[]}}`,
  'empty lists':
    '{\n  "hooks": {\n    "UserPromptSubmit": [],\n    "Stop": [\n    ]\n  },\n  "mcpServers": {}\n}\n',
  'a member of an odd name': '{\n  "": 1,\n  "constructor": {},\n  "__proto__": {"x": 1}\n}\n',
  'characters beyond ASCII': '{\n  "naïve 🦊": "日本語",\n  "\\u0061": 1\n}\n',
  'numbers as nobody writes them': '{\n  "a": 1.0e+10,\n  "b": 12345678901234567890\n}\n',
  'the same member twice': '{\n  "mcpServers": { "a": {} },\n  "mcpServers": { "b": {} }\n}\n',
  'old line ends in between': '{\n  "a": 1,\r\n  "b": 2\n}\n',
  'blank lines': '\n\n{\n\n  "a": 1\n\n}\n\n\n',
}

/** What a settings file of JSON may hold that cannot be changed without harm. */
export const REFUSED: Readonly<Record<string, string | Buffer>> = {
  'no JSON': '{ "model": ',
  'a word': 'model = opus\n',
  'two objects': '{}\n{}\n',
  'a list': '[]\n',
  'hooks that are a list': '{ "hooks": [], "mcpServers": [] }\n',
  'an event that is an object': '{ "hooks": { "UserPromptSubmit": {} }, "mcpServers": null }\n',
  'UTF-16': Buffer.from('\uFEFF{}', 'utf16le'),
  'other bytes': Buffer.from([0x7b, 0xff, 0x7d]),
  'a server of that name that is not ours':
    '{ "mcpServers": { "memgov": { "command": "other" } }, "hooks": 1 }\n',
}

/** Texts that a settings file of TOML may hold before init comes. */
export const TOML_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'a comment': '# mine\n',
  members: 'model = "o"\n\n[mcp_servers.other]\ncommand = "x" # mine\n',
  'no line end': '[tui]\ntheme = "dark"',
  CRLF: 'model = "o"\r\n[tui]\r\n',
  'a byte order mark': '\uFEFFmodel = "o"\n',
  'a text of several lines': 'a = """\n[mcp_servers.memgov]\n"""\n',
  'signs of texts in texts': 'a = "\'\'\'"\nb = \'"""\' # """\n',
  'blank lines at the end': 'a = 1\n\n\n',
  'an array of tables': '[[projects]]\npath = "/"\n',
}
