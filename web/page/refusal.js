// What was asked could not be answered, and asking again will not help: everything else may be tried again.

export class Refusal extends Error {}
