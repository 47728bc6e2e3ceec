/**
 * Whether this build takes the options of a program: `linkParameters` and `cookieDays`. The package does. The build makes this
 * false for the plain scripts, which stay small without them.
 */
export const TAKES_PROGRAM_OPTIONS = true;
