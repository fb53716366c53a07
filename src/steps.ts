/** Long work that can be laid aside: each `next` does a millisecond of it or two. A program that has nothing else to do runs `finished`. */
export type Steps<T> = Generator<undefined, T>

/** All of it at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
