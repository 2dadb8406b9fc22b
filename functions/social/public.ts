/** What the hosted pages may know of signing in through providers. */
export { type OfferedProvider, socialProviders } from './provider/offered.ts';
