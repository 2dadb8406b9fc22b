/** What other areas may know of connected accounts. */
export { forgetUser as removeConnectionsOfUser } from './erasure/work.ts';
