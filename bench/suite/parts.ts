/** The parts that `--only` names, several with commas; when it names none, `usual`. */
export function partsOf<Name extends string>(
  names: readonly Name[],
  only: readonly string[] = [],
  usual = names,
): readonly Name[] {
  const named = only.flatMap((each) => each.split(','))
  const unknown = named.find((name) => !names.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`--only ${unknown}: there are ${names.join(', ')}`)
  return named.length === 0 ? usual : names.filter((part) => named.includes(part))
}
