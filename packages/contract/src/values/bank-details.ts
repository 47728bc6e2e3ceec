const hasCheckDigit = (digits: string): boolean => {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);
  return sum % 10 === 0;
};

/** An account number, IBAN or BIC as banks store it: without the spaces and hyphens that people write, in capitals. */
export function withoutSpacing(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** What is wrong with the routing number of a US bank, as a sentence about `field`; null if nothing is. */
export function routingNumberProblem(text: string, field = 'routing_number'): string | null {
  if (!/^[0-9]{9}$/.test(text)) return `${field} must have 9 digits`;
  if (hasCheckDigit(text) && text !== '000000000') return null;
  return `${field} does not pass its check digit. Compare it with a check or your bank statement.`;
}

/** What is wrong with the account number of a US bank, as a sentence about `field`; null if nothing is. */
export function accountNumberProblem(text: string, field = 'account_number'): string | null {
  return /^[0-9]{4,17}$/.test(text) ? null : `${field} must have 4 to 17 digits and nothing else`;
}

/** What is wrong with a BIC, as a sentence about `field`; null if nothing is. A BIC has no check digits. */
export function bicProblem(text: string, field = 'bic'): string | null {
  if (/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(withoutSpacing(text))) return null;
  return `${field} must have 8 or 11 letters and digits, such as COBADEFFXXX`;
}
