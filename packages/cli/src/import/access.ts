/** Which program a command is about, and how it calls the service. */
export type Access = { params: { program_id: string }; token: string; signal: AbortSignal };
