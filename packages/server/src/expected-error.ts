/** An error that the operator can fix. Its message says how, so it is printed without a stack trace. */
export class ExpectedError extends Error {}
