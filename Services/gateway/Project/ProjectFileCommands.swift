import ArgumentParser
import Foundation
import Messages
import ProjectFiles
import ProjectLanguage
import ProjectNetwork
import ProjectRecord
import Speech
import Terminal

extension ProjectCommand {
    /// `steward project import`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Adds the issues of a file to a project, all of them or none.",
            discussion: """
                  steward project import issues.csv
                  steward project import plan.xml

                A table, .csv, has a row for each issue. Its first row names the columns, in any \
                order, of which subject is the only one needed; steward project export shows them \
                all, and tables that Redmine exports are understood. Numbers apply only within the \
                file: they say which row is a part of which, and what it comes after.

                From the XML of MS Project it reads the tasks, the people who do them with their \
                calendars, the links and the baselines. A project without issues takes the \
                calendar of the file.

                People and versions that the project doesn't have are added. Dates stay as they \
                are in the file. Whatever a project can't keep is listed. steward project undo \
                takes it all back.
                """)

        @Argument(help: "The file; - for the standard input.", completion: .file())
        var file: String
        @Flag(help: "Say what would be added, and add nothing.")
        var preview = false
        @OptionGroup var options: ProjectEditOptions

        func run() throws {
            var imported = try ProjectFile.read(
                try InputFile.bytes(file, upTo: ProjectFile.largest), named: file)
            try options.edit(preview: preview) { read, session in
                for place in imported.baselines.indices {
                    imported.baselines[place].date = try session.today.iso
                }
                let zone = try imported.members.isEmpty ? "" : session.zoneOfPeople
                for place in imported.members.indices { imported.members[place].timeZone = zone }
                let things = AddedThings(things: imported.things)
                try check(things, imported.lines, read)
                for sentence in imported.leftOut {
                    session.printer.remark("left out: \(sentence)")
                }
                var actions = [ProjectAction(action: .added(things))]
                if let calendar = imported.calendar {
                    var project = read.project
                    let own = read.record.details.calendar
                    if try calendar.calendar() == own {
                        // The project already has this calendar.
                    } else if read.record.issues.isEmpty {
                        project.calendar = calendar
                        actions.insert(.keep(.project(project)), at: 0)
                    } else {
                        session.printer.remark(
                            "left out: the calendar of the file; the project has its own")
                    }
                }
                return actions
            }
        }

        /// Finds contradictions here, where the lines of the file are known.
        private func check(
            _ things: AddedThings, _ lines: [UInt32: Int], _ read: ProjectContentsRead
        ) throws {
            guard things.packed().count <= ProjectFile.mostBytes else {
                throw Failure(
                    .refused, "the issues of \(file) are too many or too long for one step",
                    advice: "split the file, or shorten descriptions")
            }
            let empty = ProjectRecord(kept: read.record.details, [])
            do {
                let items = try things.things.map { try $0.item(in: empty.details) }
                _ = try ProjectRecord(kept: empty.details, items).network { number in
                    lines[UInt32(clamping: number)].map { "line \($0)" } ?? "#\(number)"
                }
            } catch let refusal as Refusal {
                throw Refusal.invalid("\(file): \(refusal.message)")
            }
        }
    }

    /// `steward project export`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes the issues of a project to a file.",
            discussion: """
                  steward project export issues.csv
                  steward project export plan.xml

                A table, .csv, opens in a spreadsheet, and an .xml in MS Project and programs like \
                it; steward project import reads both. Time worked and journals are in neither. \
                The .csv has no calendars and no baselines; the .xml has no versions, statuses, \
                trackers or skills, no names of baselines, no work after midnight, and only the \
                relations that say what an issue comes after.
                """)

        @Argument(help: "The file: .csv or .xml.", completion: .file())
        var file: String
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard ["csv", "xml"].contains(PlanOutput.ending(of: file)) else {
                throw ValidationError("the file must end with .csv or .xml")
            }
        }

        func run() throws {
            let session = try Session()
            let read = try ProjectContentsRead(try target.project(session), session)
            let isXML = PlanOutput.ending(of: file) == "xml"
            let bytes =
                isXML
                ? ProjectXMLWriter.document(of: read.record)
                : IssueTableWriter.table(of: read.record)
            try PlanOutput.write(bytes, to: file, session.printer, isJSON: output.json)
            guard isXML, !output.json else { return }
            let leftOut = ProjectXMLWriter.leftOut(of: read.record)
            guard !leftOut.isEmpty else { return }
            session.printer.remark(
                "left out, because the format has no place for them: "
                    + leftOut.joined(separator: ", "))
        }
    }
}
