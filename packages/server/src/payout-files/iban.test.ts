import { expect, it } from 'vitest';
import { ibanCountry, ibanProblem } from './iban.ts';

const CHECK_DIGITS = 'iban does not pass its check digits. Compare it with your bank statement.';

it.each([
  ['DE89370400440532013000', null],
  ['de89 3704 0044 0532 0130 00', null],
  ['GB82 WEST 1234 5698 7654 32', null],
  ['TR330006100519786457841326', null],
  ['DE88370400440532013000', CHECK_DIGITS],
  ['DE89370400440532013001', CHECK_DIGITS],
  ['DE8937040044053201300', 'iban has 21 characters, and an IBAN that begins with DE has 22'],
  ['US89370400440532013000', 'iban must begin with the code of a country that has IBANs, such as DE or FR'],
  ['', 'iban must begin with the code of a country that has IBANs, such as DE or FR'],
  ['DE8937040044053201300?', 'iban must consist of letters and digits'],
])('the IBAN %j: %s', (text, problem) => {
  expect(ibanProblem(text)).toBe(problem);
});

it('names the field, and the country of the account', () => {
  expect(ibanProblem('', 'payer.iban')).toMatch(/^payer\.iban must begin/);
  expect(ibanCountry(' fr14 2004 1010 0505 0001 3M02 606')).toBe('FR');
});
