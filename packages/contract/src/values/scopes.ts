/** What a token can be allowed: to read, to change something, and to report events of a program. */
export const TOKEN_SCOPES = ['read', 'write', 'track'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** What a user can allow an application, such as an AI assistant. */
export const APPLICATION_SCOPES = ['read', 'write'] as const satisfies readonly TokenScope[];
