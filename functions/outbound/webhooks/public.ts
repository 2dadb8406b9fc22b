/** The state of webhook endpoints, for the list of what needs attention. */
export { type EndpointState, findEndpointStates } from './health/find.ts';
