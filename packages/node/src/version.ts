/** The release of the package. The build fills it in. */
export const VERSION = '0.0.0';
