import { settings } from '../settings.ts';

/**
 * The host of the pages, to which the last line of an SMS binds its code (WICG "origin-bound one-time codes", which has no
 * port). The area needs `base-url`.
 */
export const findPagesHost = (): string => new URL(settings().GATEHOUSE_BASE_URL).hostname;
