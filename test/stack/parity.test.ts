import { fixture } from './fixture.ts';
import { describeParity } from './parity.ts';

describeParity('A system that uses everything', fixture, { isProtected: true });
