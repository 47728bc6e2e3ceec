import { withoutSpacing } from '@svc/contract';
import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

/** What is wrong with an IBAN, as a sentence about `field`; null if nothing is. Spaces and small letters are not wrong. */
export function ibanProblem(text: string, field = 'iban'): string | null {
  const iban = withoutSpacing(text);
  const wrong = validateIBAN(iban).errorCodes;
  if (wrong.length === 0) return null;
  const country = iban.slice(0, 2);
  const length = countrySpecs[country]?.chars;
  if (!length) return `${field} must begin with the code of a country that has IBANs, such as DE or FR`;
  if (iban.length !== length) {
    return `${field} has ${iban.length} characters, and an IBAN that begins with ${country} has ${length}`;
  }
  if (wrong.includes(ValidationErrorsIBAN.WrongBBANFormat) && !/^[A-Z]{2}[0-9]{2}[A-Z0-9]+$/.test(iban)) {
    return `${field} must consist of letters and digits`;
  }
  return `${field} does not pass its check digits. Compare it with your bank statement.`;
}

/** The country in which an account with this IBAN is. */
export function ibanCountry(iban: string): string {
  return withoutSpacing(iban).slice(0, 2);
}
