export * from './free-port.ts';
export * from './postgres-server.ts';
