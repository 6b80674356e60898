//! Prints how well answers are read: `cargo run --release -p reading`. With `--misses`, also the cases that
//! are read wrong. With `--put-aside`, of the cases that were put aside. With `--without-brands`, of answers
//! without any brand.
#![expect(clippy::print_stdout, reason = "the command prints its result")]

use std::io;

use reading::{Part, Table, false_mentions, read_cases};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    if has("--without-brands") {
        let found = false_mentions()?;
        println!(
            "{} answers, {} names, {} false mentions: {:.3} % of (answer, name)",
            found.answers,
            found.names,
            found.found.values().sum::<usize>(),
            found.rate()
        );
        if has("--misses") {
            for ((language, name), count) in &found.found {
                println!("{language}: {name} in {count}");
            }
        }
        return Ok(());
    }
    let part = if has("--put-aside") {
        Part::PutAside
    } else {
        Part::Open
    };
    let cases = read_cases(part)?;
    if has("--misses") {
        for case in cases.iter().filter(|case| !case.is_read_right()) {
            println!(
                "{} {} {:?} labelled {:?}, read {:?}: {}\n{}\n",
                case.id,
                case.category,
                case.brand.name,
                case.position,
                case.read(),
                case.why,
                case.answer
            );
        }
    }
    println!("{}", Table::of(&cases));
    Ok(())
}
