/** What other areas may know of connected accounts. */
export {
  forgetEarlierHolder as removeConnectionsOfEarlierHolder,
  forgetUser as removeConnectionsOfUser,
} from './erasure/work.ts';
