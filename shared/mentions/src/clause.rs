//! Splits the text around a name into tokens, with the roles that the language's terms have.

use std::ops::Range;

use crate::fold::{BRAND_NAME, GAP, LINE_BROKEN, REMOVED};
use crate::language::{Lexicon, Roles};
use crate::script::{is_unspaced, is_word};
use crate::text::Text;

/// A token of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub kind: TokenKind<'a>,
    /// The roles of a word, or of the phrase that it is part of.
    pub roles: Roles,
    /// Whether the word is part of a phrase, but not its first word.
    pub continues_phrase: bool,
    /// Whether the word starts with a capital.
    pub is_capital: bool,
    /// The range of folded bytes.
    pub range: Range<usize>,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind<'a> {
    /// A folded word.
    Word(&'a str),
    /// A known brand.
    Name,
    /// Punctuation inside a sentence.
    Sign(char),
    /// The end of a sentence.
    End,
}

impl Token<'_> {
    pub(crate) fn has(&self, roles: Roles) -> bool {
        self.roles.has(roles)
    }

    pub(crate) fn is_sign(&self, signs: &[char]) -> bool {
        matches!(self.kind, TokenKind::Sign(sign) if signs.contains(&sign))
    }

    pub(crate) fn is_name(&self) -> bool {
        self.kind == TokenKind::Name
    }

    pub(crate) fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }

    pub(crate) fn is_word(&self) -> bool {
        matches!(self.kind, TokenKind::Word(_))
    }
}

/// Returns the tokens of the folded bytes `low..high`, without quotes, brackets and removed text.
pub(crate) fn tokens(text: Text<'_>, low: usize, high: usize) -> Vec<Token<'_>> {
    let mut reader = Reader {
        text,
        lexicon: text.language.lexicon(),
        high,
        tokens: Vec::new(),
    };
    let mut i = low;
    while i < high {
        i = reader.read(i);
    }
    set_roles_of_phrases(reader.lexicon, &mut reader.tokens);
    reader.tokens
}

struct Reader<'a> {
    text: Text<'a>,
    lexicon: &'a Lexicon,
    high: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads the token at the folded byte `i`. Returns where the next one starts.
    fn read(&mut self, i: usize) -> usize {
        let folded = self.text.folded;
        let Some(c) = folded.text[i..self.high].chars().next() else {
            return self.high;
        };
        let flags = folded.flags_at(i);
        if flags & LINE_BROKEN != 0 {
            self.push(TokenKind::End, Roles::NONE, i..i);
        }
        if flags & BRAND_NAME != 0 {
            let end = self.run_end(i, |_, flags| flags & BRAND_NAME != 0);
            self.push(
                TokenKind::Name,
                self.lexicon.suffix_roles(&folded.text[i..end]),
                i..end,
            );
            return end;
        }
        if is_unspaced(c) {
            let end = self.run_end(i, |c, flags| is_unspaced(c) && flags & (GAP | BRAND_NAME) == 0);
            self.push_unspaced(i..end);
            return end;
        }
        if is_word(c)
            && let Some((length, roles)) = self.lexicon.abbreviation_at_start(&folded.text[i..self.high])
        {
            let end = i + length;
            self.push(TokenKind::Word(&folded.text[i..end]), roles, i..end);
            return end;
        }
        if is_word(c) || c == '\'' {
            let in_word =
                |c, flags| (is_word(c) || c == '\'') && !is_unspaced(c) && flags & (GAP | BRAND_NAME) == 0;
            let end = self.run_end(i, in_word);
            self.push_word(i..end);
            return end;
        }
        let next = i + c.len_utf8();
        match c {
            '.' if !folded.is_final_dot(i) => {}
            // The last one is the Greek semicolon.
            '.' | '!' | '?' | ';' | '\n' | '。' | '؟' | '؛' | '।' | '·' => {
                self.push(TokenKind::End, Roles::NONE, i..next);
            }
            '"' | REMOVED | '[' | ']' | ')' | '\u{300c}'..='\u{300f}' | '《' | '》' => {}
            '、' | '،' => self.push(TokenKind::Sign(','), Roles::NONE, i..next),
            '–' | '—' | '―' => self.push(TokenKind::Sign('-'), Roles::NONE, i..next),
            c => self.push(TokenKind::Sign(c), Roles::NONE, i..next),
        }
        next
    }

    /// Returns where the run of characters ends that starts at byte `i` and continues while `goes_on`.
    fn run_end(&self, i: usize, goes_on: impl Fn(char, u8) -> bool) -> usize {
        let folded = self.text.folded;
        let run = folded.text[i..self.high].char_indices();
        let mut after_first = run.skip(1);
        after_first
            .find(|&(k, c)| !goes_on(c, folded.flags_at(i + k)))
            .map_or(self.high, |(k, _)| i + k)
    }

    fn push(&mut self, kind: TokenKind<'a>, roles: Roles, range: Range<usize>) {
        self.tokens.push(Token {
            kind,
            roles,
            continues_phrase: false,
            is_capital: false,
            range,
        });
    }

    fn push_word(&mut self, range: Range<usize>) {
        let folded: &'a str = &self.text.folded.text[range.clone()];
        let word = if folded == "'s" {
            folded
        } else {
            self.without_elision(folded)
        };
        if word.is_empty() {
            return;
        }
        let written = self.text.prose.get(self.text.folded.source_offset(range.start)..);
        let is_capital = written.is_some_and(|rest| rest.starts_with(char::is_uppercase));
        self.tokens.push(Token {
            kind: TokenKind::Word(word),
            roles: self.lexicon.roles(word),
            continues_phrase: false,
            is_capital,
            range,
        });
    }

    /// Returns the word of `l'information`, and the pronoun of `I've`. A word that the language lists is
    /// whole.
    fn without_elision(&self, word: &'a str) -> &'a str {
        let word = word.trim_matches('\'');
        match word.split_once('\'') {
            None => word,
            Some(_) if self.lexicon.roles(word) != Roles::NONE || word.ends_with("n't") => word,
            Some((person, _)) if self.lexicon.roles(person).has(Roles::PERSON) => person,
            Some(_) => word.rsplit('\'').next().unwrap_or(word),
        }
    }

    /// Adds the terms of a run without spaces, and what is between them. In a language with spaces the run is
    /// one word.
    fn push_unspaced(&mut self, range: Range<usize>) {
        let run: &'a str = &self.text.folded.text[range.clone()];
        let Some(found) = self.lexicon.find_unspaced(run) else {
            return self.push_word(range);
        };
        let mut done = 0;
        for (term, roles) in found {
            let (start, end) = (range.start + term.start, range.start + term.end);
            if term.start > done {
                let before = TokenKind::Word(&run[done..term.start]);
                self.push(before, Roles::NONE, range.start + done..start);
            }
            done = term.end;
            self.push(TokenKind::Word(&run[term]), roles, start..end);
        }
        if done < run.len() {
            let rest = range.start + done..range.end;
            self.push(TokenKind::Word(&run[done..]), Roles::NONE, rest);
        }
    }
}

fn set_roles_of_phrases<'a>(lexicon: &Lexicon, tokens: &mut [Token<'a>]) {
    let word = |token: &Token<'a>| match token.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    };
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let rest = tokens[i + 1..].iter().map_while(word);
        let phrase = word(token).and_then(|first| lexicon.phrase(first, &rest));
        i += match phrase {
            // The words of such a phrase have roles of their own.
            Some((_, roles)) if Roles::NO_DATA.union(Roles::MISSING).contains(roles) => {
                tokens[i].roles = tokens[i].roles.union(roles);
                1
            }
            Some((length, roles)) => {
                for (n, token) in tokens[i..].iter_mut().take(length).enumerate() {
                    token.roles = roles;
                    token.continues_phrase = n > 0;
                }
                length
            }
            None => 1,
        };
    }
}
