/**
 * A sign-up form says at once, while one types, whether a name is free. Most names that are tried are free, and the filter says so without a
 * question to the database; only where it says "maybe" does the database decide. A false positive costs one question and no wrong answer.
 */
import { BloomFilter, guard, type Key } from 'wary/filter'

const MEMBERS = 100_000
const taken = new Set(Array.from({ length: MEMBERS }, (_, i) => `member${i}`))

/** A database on another computer. */
async function ask(name: Key): Promise<{ owner: string } | undefined> {
  await new Promise((done) => setTimeout(done, 1))
  return typeof name === 'string' && taken.has(name) ? { owner: name } : undefined
}

/** `Member7 ` is the name of `member7`: one spelling for filter and database. */
const spelled = (name: string) => name.normalize('NFKC').trim().toLowerCase()

const filter = BloomFilter.create({ capacity: MEMBERS, rate: 0.01 })
for (const name of taken) filter.add(spelled(name))
const owner = guard(filter, ask)

for (const name of ['Member7 ', 'somebody.new'])
  console.log(`${JSON.stringify(name)} is ${(await owner(spelled(name))) ? 'taken' : 'free'}`)

let wrong = 0
for (let i = 0; i < 5_000; i++) {
  const name = i % 10 === 0 ? `member${i}` : `newcomer${i}`
  if (((await owner(name)) !== undefined) !== taken.has(name)) wrong++
}
const { asked, spared, lookedUp, missed } = owner.counts
console.log(
  `${asked} names tried: ${spared} answered by the filter alone, ${lookedUp} by the database, ${missed} of them in vain; ${wrong} wrong answers`,
)
