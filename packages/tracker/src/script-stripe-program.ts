import './of-program.ts';
import './script-stripe.ts';
