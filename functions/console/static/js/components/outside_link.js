// Links to pages of the web, whose addresses come from answers.
import { html } from "../view.js";

/** A name of at least two labels, whose last one is no number, so that it is no IP address. */
const NAME = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/;
/** Names that only a local network knows. */
const LOCAL = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|invalid|home\.arpa)$/;

/** Returns the host of a page that anybody can reach under an https address without credentials, or null. */
export function publicHost(url) {
  if (!URL.canParse(url)) return null;
  const { protocol, username, password, hostname } = new URL(url);
  const host = hostname.replace(/\.$/, "");
  return protocol === "https:" && !username && !password && NAME.test(host) && !LOCAL.test(host) ? host : null;
}

/**
 * A link that names its host, unless `showsAddress` says that the address stands there already. An address that is not of the public web
 * is only a text.
 */
export function OutsideLink({ url, children = url, showsAddress = children === url }) {
  const host = publicHost(url);
  if (!host) return html`<span>${children}${!showsAddress && html` <span class="muted small">(${url})</span>`}</span>`;
  return html`<a href=${url} target="_blank" rel="noreferrer noopener nofollow">${children}</a>${!showsAddress && html` <span class="muted small">(${host})</span>`}`;
}
