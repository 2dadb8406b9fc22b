/** The functions and types of connected accounts for other areas. */
export {
  forgetEarlierHolder as removeAccountsOfEarlierHolder,
  forgetUser as removeAccountsOfUser,
} from './erasure/work.ts';
