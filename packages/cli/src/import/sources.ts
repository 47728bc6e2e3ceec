const TOOL_NAMES = ['rewardful', 'firstpromoter', 'firstpromoter-v1', 'tolt', 'partnerstack', 'dub'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What `svc import` can read: tools through their API, and files. */
export const IMPORT_SOURCES = [...TOOL_NAMES, 'csv'] as const;
export type SourceName = (typeof IMPORT_SOURCES)[number];
