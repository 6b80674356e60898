//! Prints how well answers are read: `cargo run --release -p reading`. `README.md` has the options.
#![expect(clippy::print_stdout, reason = "the command prints its result")]

use std::io;

use reading::{Part, Rule, Table, false_mentions, read_cases, read_grid};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let value = |option: &str| {
        let at = arguments.iter().position(|argument| argument == option)?;
        arguments.get(at + 1).map(String::as_str)
    };
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
    let mut cases = read_cases(part)?;
    cases.extend(read_grid(part)?);
    if has("--more") {
        cases = reading::read_learned_grid()?;
    }
    if has("--questions") {
        for case in &cases {
            println!("{}", serde_json::to_string(&case.question())?);
        }
        return Ok(());
    }
    let rule = match (value("--program"), value("--rule")) {
        (Some(command), _) => Rule::Program(command.to_owned()),
        (None, Some("substring")) => Rule::Substring,
        (None, Some("word-boundary")) => Rule::WordBoundary,
        (None, None | Some("ours")) => Rule::Ours,
        (None, Some(other)) => return Err(io::Error::other(format!("--rule {other} is not known"))),
    };
    let positions = rule.read_all(&cases)?;
    if has("--misses") {
        let read = cases.iter().zip(&positions);
        for (case, position) in read.filter(|(case, position)| case.position != **position) {
            println!(
                "{} {} {:?} labelled {:?}, read {position:?}: {}\n{}\n",
                case.id, case.category, case.brand.name, case.position, case.why, case.answer
            );
        }
    }
    println!("{}", Table::of(&cases, &positions));
    Ok(())
}
