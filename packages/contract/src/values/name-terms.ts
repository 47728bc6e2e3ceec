/** Commission rules by their number: `Rule 2 of version 7`, or `Version 7` if none of its rules is known to have paid. */
export function nameTerms(version: number, rule: number | null): string {
  return rule === null ? `Version ${version}` : `Rule ${rule} of version ${version}`;
}

type PaidByTerms = { terms_version: number | null; rule: number | null; terms: string | null };

/** What a line of a payout was paid for, with the rule and the version: `Rule 2 of version 7: 20% of each sale`. Null if no rules decided it. */
export function describeLineTerms({ terms_version: version, rule, terms }: PaidByTerms): string | null {
  if (version === null) return null;
  return terms === null ? nameTerms(version, rule) : `${nameTerms(version, rule)}: ${terms}`;
}
