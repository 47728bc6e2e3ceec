import type { TrackerOptions } from './options.ts';
import { options } from './tracker.ts';

/** The service writes the options of the program here when it serves the script. */
declare const SVC_PROGRAM: Pick<TrackerOptions, 'linkParameters' | 'cookieDays'>;

Object.assign(options, SVC_PROGRAM);
