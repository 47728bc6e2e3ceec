import './of-program.ts';
import './script.ts';
