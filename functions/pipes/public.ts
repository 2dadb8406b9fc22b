/** The functions and types of connected accounts for other areas. */
export {
  forgetEarlierHolder as removeConnectionsOfEarlierHolder,
  forgetUser as removeConnectionsOfUser,
} from './erasure/work.ts';
