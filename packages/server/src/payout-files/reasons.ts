/** Why a payment failed, and what the partner can do about it. */
export type FailureReason = { says: string; todo: string };

const OTHER_METHOD = 'Add another payout method.';
const CORRECT_IT = 'Check your payout method and correct it.';
const ASK_BANK = 'Ask your bank, or add another payout method.';
const WAIT = 'You do not need to do anything. The brand has to pay again.';

const bank = (what: string, todo: string): FailureReason => ({ says: `The bank says that ${what}.`, todo });
const paypal = (what: string, todo: string): FailureReason => ({ says: `PayPal says that ${what}.`, todo });

const REASONS: Readonly<Record<string, FailureReason>> = {
  // ISO 20022, as in pain.002.
  AC01: bank('the account number is wrong', CORRECT_IT),
  AC02: bank("the brand's own account number is wrong", WAIT),
  AC03: bank('the account number is wrong', CORRECT_IT),
  AC04: bank('the account is closed', OTHER_METHOD),
  AC06: bank('the account is blocked', ASK_BANK),
  AC13: bank('the account is of a kind that cannot be paid this way', OTHER_METHOD),
  AC14: bank('the account is of a kind that cannot be paid this way', OTHER_METHOD),
  AG01: bank('the account cannot receive payments of this kind', OTHER_METHOD),
  AG02: bank('the payment was sent in a wrong way', WAIT),
  AM01: bank('the amount is zero', WAIT),
  AM02: bank('the amount is too large', WAIT),
  AM03: bank('the account cannot receive this currency', OTHER_METHOD),
  AM04: bank("the brand's account does not have enough money", WAIT),
  AM05: bank('the payment was sent before', WAIT),
  AM09: bank('the amount is wrong', WAIT),
  AM10: bank("the total of the brand's file is wrong", WAIT),
  ARDT: bank('the money was returned before', WAIT),
  BE01: bank('the name does not match the account', 'Enter the account holder as your bank knows you.'),
  BE04: bank("the account holder's address is missing", CORRECT_IT),
  BE05: bank('it does not know who sent the payment', WAIT),
  CNOR: bank('it does not take part in this kind of payment', OTHER_METHOD),
  CUST: bank('the brand withdrew the payment', 'Ask the brand why.'),
  DNOR: bank("the brand's bank does not take part in this kind of payment", WAIT),
  DT01: bank('the date of the payment is wrong', WAIT),
  DUPL: bank('the payment was sent before', WAIT),
  ED05: bank('the payment could not be carried out between the banks', WAIT),
  FF01: bank("the brand's file has an error", WAIT),
  FOCR: bank('the payment was called back', 'Ask the brand why.'),
  MD07: bank('the account holder has died', 'Contact the brand.'),
  MS02: bank('the account holder refused the payment', ASK_BANK),
  MS03: bank('the payment failed. It gives no reason', ASK_BANK),
  NARR: bank('the payment failed. The brand has its explanation', 'Contact the brand.'),
  RC01: bank('the code of your bank (BIC) is wrong', CORRECT_IT),
  RC07: bank('the code of your bank (BIC) is wrong', CORRECT_IT),
  RR01: bank("details of the brand's account are missing, which the law requires", WAIT),
  RR02: bank("the brand's name or address is missing, which the law requires", WAIT),
  RR03: bank('your name or address is missing, which the law requires', CORRECT_IT),
  RR04: bank('the law does not allow the payment', 'Ask your bank.'),
  TM01: bank('the file came too late in the day', WAIT),
  // ACH returns.
  R01: bank("the brand's account does not have enough money", WAIT),
  R02: bank('the account is closed', OTHER_METHOD),
  R03: bank('there is no such account, or it has another holder', CORRECT_IT),
  R04: bank('the account number is wrong', CORRECT_IT),
  R06: bank('the payment was called back', 'Ask the brand why.'),
  R08: bank('the payment was stopped', ASK_BANK),
  R10: bank('the account holder did not agree to the payment', ASK_BANK),
  R12: bank('the account has moved to another bank', 'Enter the numbers of your new account.'),
  R13: bank('the routing number is wrong', CORRECT_IT),
  R14: bank('the account holder has died or cannot act', 'Contact the brand.'),
  R15: bank('the account holder has died', 'Contact the brand.'),
  R16: bank('the account is frozen', ASK_BANK),
  R17: bank('the details of the account cannot be processed', CORRECT_IT),
  R20: bank('the account cannot receive transfers', OTHER_METHOD),
  R22: bank('the name or number of the receiver is wrong', CORRECT_IT),
  R23: bank('the account holder refused the payment', ASK_BANK),
  R24: bank('the payment was sent before', WAIT),
  R28: bank('the routing number does not pass its check digit', CORRECT_IT),
  R29: bank('the company did not agree to the payment', ASK_BANK),
  // PayPal, by number and by name.
  '1002': paypal("the brand's account does not have enough money", WAIT),
  INSUFFICIENT_FUNDS: paypal("the brand's account does not have enough money", WAIT),
  '3015': paypal('your account is locked or inactive', 'Sign in to PayPal to see why, or add another payout method.'),
  RECEIVER_ACCOUNT_LOCKED: paypal(
    'your account is locked or inactive',
    'Sign in to PayPal to see why, or add another payout method.',
  ),
  '3148': paypal('it cannot pay accounts in your country', OTHER_METHOD),
  RECEIVER_COUNTRY_NOT_ALLOWED: paypal('it cannot pay accounts in your country', OTHER_METHOD),
  '8330': paypal('your account has reached its receiving limit', 'Verify your PayPal account to lift the limit.'),
  RECEIVING_LIMIT_EXCEEDED: paypal(
    'your account has reached its receiving limit',
    'Verify your PayPal account to lift the limit.',
  ),
  '9302': paypal('it declined the payment after a risk check', 'Ask PayPal, or add another payout method.'),
  RISK_DECLINE: paypal('it declined the payment after a risk check', 'Ask PayPal, or add another payout method.'),
  '14765': paypal(
    'nobody has an account with this email address',
    'Sign up at PayPal with it, or correct the address.',
  ),
  RECEIVER_UNREGISTERED: paypal(
    'nobody has an account with this email address',
    'Sign up at PayPal with it, or correct the address.',
  ),
  RECEIVER_UNCONFIRMED: paypal(
    'your email address is not confirmed',
    'Confirm the address in your PayPal account, then the brand can pay again.',
  ),
};

/** What a code of a bank or of PayPal means, for the partner; null if we have no words for it. */
export function describeReason(code: string): FailureReason | null {
  const key = code.trim().toUpperCase();
  return Object.hasOwn(REASONS, key) ? (REASONS[key] ?? null) : null;
}
