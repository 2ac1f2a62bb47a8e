// Takes the place of undici's main module in the bundle, which would also load a `fetch`, WebSocket, mocks, caches and a second parser.
export { default as Agent } from '../node_modules/undici/lib/dispatcher/agent.js';
export { default as buildConnector } from '../node_modules/undici/lib/core/connect.js';
