/**
 * Words in common passwords, in lower case, without digits and punctuation: the most frequent passwords of well-known leaks
 * after years, digits and exclamation marks are removed. The list is short because it is part of every bundle; the minimum
 * length and the limit on guesses protect against other passwords.
 */
const WORDS =
  'password passwort passwords passwordpassword mypassword thepassword newpassword yourpassword changeme changemenow ' +
  'letmein letmeinnow welcome welcomeback welcomehome iloveyou iloveyouforever iloveyousomuch loveyou trustno ' +
  'trustnoone admin administrator adminadmin root rootroot superuser guest default test testing tester testtest ' +
  'testpassword secret topsecret secretpassword login loginlogin signin user username useruser system computer ' +
  'internet server database qwerty qwertyuiop qwertz azerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc ' +
  'zaqxsw monkey dragon master shadow sunshine princess football baseball basketball soccer hockey superman batman ' +
  'spiderman starwars pokemon pikachu michael jennifer jessica ashley charlie jordan daniel andrew thomas robert ' +
  'matthew joshua michelle nicole samantha alexander christian anthony elizabeth victoria whatever freedom flower ' +
  'hunter killer ginger pepper cookie chocolate butterfly summer winter autumn spring january february march april ' +
  'june july august september october november december monday tuesday wednesday thursday friday saturday sunday ' +
  'liverpool chelsea arsenal barcelona realmadrid manchester manchesterunited juventus america london paris berlin ' +
  'google facebook instagram linkedin twitter youtube microsoft apple samsung android iphone windows hello ' +
  'helloworld hellohello hallo hallohallo bonjour motdepasse contrasena contraseña senha parola geheim schatz ' +
  'abcdef abcabc aaaaaa correcthorsebatterystaple access blink blinkblink cheese diamond forever friends jesus ' +
  'jesuschrist godisgood blessed family babygirl lovely angel angels hottie money mustang mercedes ferrari porsche ' +
  'corvette harley yankees lakers cowboys steelers packers eagles tigger snoopy garfield scooby matrix phoenix ' +
  'silver purple orange banana passphrase temporary temppassword initial example demo demodemo sample';

export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

const backwards = (text: string): string => [...text].reverse().join('');

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '1234567890-=',
  'qwertyuiop[]',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm,./',
  'yxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  'qazwsxedcrfvtgbyhnujm',
  '!@#$%^&*()',
  '11223344556677889900',
];

/** Keyboard and alphabet sequences, in both directions. */
export const KEYBOARD_RUNS: readonly string[] = ROWS.flatMap((row) => [row, backwards(row)]);
