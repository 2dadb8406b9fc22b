import type { ConsolePage } from '../page/declare.ts';
import { factorPage, passkeyPage } from './factor.ts';
import { impersonatePage } from './impersonate.ts';
import { userAccessPage } from './user-access.ts';
import { userAtPage } from './user-at.ts';
import { userSignInPage } from './user-sign-in.ts';
import { userTimelinePage } from './user-timeline.ts';
import { userPage } from './user.ts';
import { userBulkPages, usersPage } from './users.ts';

/** Users, and what a user has. */
export const userPages: readonly ConsolePage[] = [
  usersPage,
  ...userBulkPages,
  userPage,
  userAccessPage,
  userTimelinePage,
  userAtPage,
  userSignInPage,
  impersonatePage,
  factorPage,
  passkeyPage,
];
