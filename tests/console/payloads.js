// Texts that a page must show and never run: markup, scripts and addresses in the places and spellings in which they get through
// filters. Each one that runs calls `run()`.
const CALL = "window.ran=1";

const elements = [
  `<script>${CALL}</script>`, `<SCRIPT>${CALL}</SCRIPT>`, `<script >${CALL}</script >`, `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<img src=x onerror=${CALL}>`, `<img src=x onerror="${CALL}">`, `<IMG SRC=x ONERROR='${CALL}'>`, `<img/src=x/onerror=${CALL}>`, `<img src="x"onerror="${CALL}">`,
  `<svg onload=${CALL}>`, `<svg/onload=${CALL}>`, `<svg><script>${CALL}</script></svg>`, `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`, `<svg><set onbegin=${CALL} attributename=x to=y>`,
  `<body onload=${CALL}>`, `<iframe src="javascript:parent.${CALL}"></iframe>`, `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`, `<iframe onload=${CALL}></iframe>`,
  `<object data="javascript:${CALL}"></object>`, `<embed src="javascript:${CALL}">`, `<a href="javascript:${CALL}">go</a>`, `<a href="JaVaScRiPt:${CALL}">go</a>`, `<a href="data:text/html,<script>${CALL}</script>">go</a>`,
  `<details open ontoggle=${CALL}>`, `<video src=x onerror=${CALL}></video>`, `<audio src=x onerror=${CALL}></audio>`, `<input autofocus onfocus=${CALL}>`, `<select autofocus onfocus=${CALL}>`, `<textarea autofocus onfocus=${CALL}>`,
  `<marquee onstart=${CALL}>`, `<meta http-equiv="refresh" content="0;url=javascript:${CALL}">`, `<link rel="stylesheet" href="javascript:${CALL}">`, `<base href="javascript:${CALL}//">`, `<form action="javascript:${CALL}"><button>go</button></form>`,
  `<math><mtext></mtext><img src=x onerror=${CALL}></math>`, `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`, `<template><script>${CALL}</script></template>`, `<style>@import "javascript:${CALL}";</style>`,
  `<xss style="animation-name:x" onanimationstart="${CALL}"></xss>`, `<button onclick=${CALL}>go</button>`, `<div onmouseover=${CALL}>over</div>`, `<p onpointerenter=${CALL}>over</p>`,
];
const leavings = ["", "\"", "'", "\">", "'>", "-->", "]]>", "</title>", "</textarea>", "</script>", "*/", "`"];
const others = [
  "javascript:window.ran=1", "JaVaScRiPt:window.ran=1", "data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=", "vbscript:msgbox(1)",
  "${window.ran=1}", "{{window.ran=1}}", "{{constructor.constructor('window.ran=1')()}}", "#{window.ran=1}", "<%= window.ran=1 %>",
  "&lt;script&gt;window.ran=1&lt;/script&gt;", "&#60;script&#62;window.ran=1&#60;/script&#62;", "\\u003cscript\\u003ewindow.ran=1\\u003c/script\\u003e", "%3Cscript%3Ewindow.ran=1%3C/script%3E",
  "[go](javascript:window.ran=1)", "![x](x\" onerror=\"window.ran=1)", "<!--><script>window.ran=1</script>-->", "<![CDATA[<script>window.ran=1</script>]]>", "＜script＞window.ran=1＜/script＞",
  "{\"__proto__\":{\"innerHTML\":\"<img src=x onerror=window.ran=1>\"}}", "{\"type\":\"script\",\"props\":{\"dangerouslySetInnerHTML\":{\"__html\":\"window.ran=1\"}}}",
];

/** 42 elements after each of 5 ways to leave the place they are in, and the others. */
export const payloads = [...leavings.slice(0, 5).flatMap((leaving) => elements.map((element) => leaving + element)), ...leavings.slice(5).map((leaving) => leaving + elements[4]), ...others];
