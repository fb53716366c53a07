/** What is known of a name: that it is a rule, that longer rules end in it, `*.name`, and `!name`. */
const RULE = 1
const PARENT = 2
const WILDCARD = 4
const EXCEPTION = 8
const DOT = '.'

/** Public Suffix List rules to ask about hosts (publicsuffix.org/list, "Format": the longest rule counts, exceptions before all others). */
export class SuffixTable {
  readonly #names = new Map<string, number>()

  /** @param rules a rule a line, such as `co.uk`, `*.ck` or `!www.ck` */
  constructor(rules: string) {
    for (const rule of rules.split('\n')) {
      const wildcard = rule.startsWith('*.')
      const exception = rule.startsWith('!')
      const name = wildcard ? rule.slice(2) : exception ? rule.slice(1) : rule
      this.#mark(name, wildcard ? WILDCARD | PARENT : exception ? EXCEPTION : RULE)
      for (let dot = name.indexOf(DOT); dot >= 0; dot = name.indexOf(DOT, dot + 1)) this.#mark(name.slice(dot + 1), PARENT)
    }
  }

  /** Where the public suffix of `host` begins; 0 where it is one. The last label of a host that no rule names is one (the rule `*`). */
  suffixStart(host: string): number {
    let at = host.lastIndexOf(DOT) + 1
    let suffix = at
    let known = this.#names.get(host.slice(at)) ?? 0
    while (at > 1 && (known & PARENT) !== 0) {
      const next = host.lastIndexOf(DOT, at - 2) + 1
      const name = this.#names.get(host.slice(next)) ?? 0
      if ((name & EXCEPTION) !== 0) return at
      if ((name & RULE) !== 0 || (known & WILDCARD) !== 0) suffix = next
      if (next === at) break
      known = name
      at = next
    }
    return suffix
  }

  #mark(name: string, mark: number): void {
    this.#names.set(name, (this.#names.get(name) ?? 0) | mark)
  }
}
