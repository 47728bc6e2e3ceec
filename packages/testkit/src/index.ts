export * from './browser.ts';
export * from './certificate.ts';
export * from './chance.ts';
export * from './count-rows.ts';
export * from './free-port.ts';
export * from './postgres-server.ts';
export * from './profiles.ts';
export * from './redis-server.ts';
