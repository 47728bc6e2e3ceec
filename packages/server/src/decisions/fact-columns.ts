// Facts are kept as they were on the day of the decision, and erasing a person may replace any text among them. So a fact that
// does not have the expected form is read as null: one row must never make a whole page fail.

/** SQL for a number among the facts of a decision, in whole numbers: a fraction is rounded up. */
export function wholeFact(facts: string, name: string): string {
  return `ceil(substring(${facts} ->> '${name}' from '^-?\\d{1,18}(?:\\.\\d+)?$')::numeric)::bigint`;
}

/** SQL for a time among the facts of a decision. */
export function timeFact(facts: string, name: string): string {
  return `substring(${facts} ->> '${name}' from '^[1-9]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$')::timestamptz`;
}
