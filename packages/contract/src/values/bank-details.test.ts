import { expect, it } from 'vitest';
import { accountNumberProblem, bicProblem, routingNumberProblem, withoutSpacing } from './bank-details.ts';

const CHECK_DIGIT = 'routing_number does not pass its check digit. Compare it with a check or your bank statement.';
const NINE_DIGITS = 'routing_number must have 9 digits';

it.each([
  ['021000021', null],
  ['121000248', null],
  ['011401533', null],
  ['021000012', CHECK_DIGIT],
  ['121000249', CHECK_DIGIT],
  ['000000000', CHECK_DIGIT],
  ['12100024', NINE_DIGITS],
  ['1210002480', NINE_DIGITS],
  ['12100024a', NINE_DIGITS],
  ['１２１０００２４８', NINE_DIGITS],
])('the routing number %j: %s', (text, problem) => {
  expect(routingNumberProblem(text)).toBe(problem);
});

it.each([
  ['1234', null],
  ['00012345678901234', null],
  ['123', 'account_number must have 4 to 17 digits and nothing else'],
  ['123456789012345678', 'account_number must have 4 to 17 digits and nothing else'],
  ['12345X', 'account_number must have 4 to 17 digits and nothing else'],
])('the account number %j: %s', (text, problem) => {
  expect(accountNumberProblem(text)).toBe(problem);
});

it.each([
  ['COBADEFF', null],
  ['cobadeffxxx', null],
  ['COBA DE FF XXX', null],
  ['COBADEF', 'bic must have 8 or 11 letters and digits, such as COBADEFFXXX'],
  ['COBADEFFXX', 'bic must have 8 or 11 letters and digits, such as COBADEFFXXX'],
  ['C0BADEFF', 'bic must have 8 or 11 letters and digits, such as COBADEFFXXX'],
])('the BIC %j: %s', (text, problem) => {
  expect(bicProblem(text)).toBe(problem);
});

it('a message names the field that it is about', () => {
  expect(routingNumberProblem('1', 'payer.ach.odfi_routing')).toBe('payer.ach.odfi_routing must have 9 digits');
});

it('what people write between digits is not part of the number', () => {
  expect(withoutSpacing(' de89 3704-0044 0532 0130 00\n')).toBe('DE89370400440532013000');
});
